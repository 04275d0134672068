// Package view holds the JSON objects of the API for tasks, rows, queues, schedules, keys and tenants.
// Each object of the contract has one struct and the functions that fill it.
//
// It promises the fields of openapi.yaml, whose schemas are generated from these structs. Texts
// come from the kind, in the language of the caller (Localizer). Sensitive values are masked, and
// only operators see system faults.
//
// It does not access stores or requests. The pages use the same structs.
package view
