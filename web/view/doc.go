// Package view holds the JSON objects of the API for tasks, rows, queues, schedules, API keys and
// tenants. Each object of the contract has one struct and the functions that fill it.
//
// The schemas of openapi.yaml are generated from these structs. Localizer renders the texts of a kind in
// the language of the caller. It masks sensitive values, and shows system faults to operators only.
//
// Package view does not access stores or requests. The pages use the same structs.
package view
