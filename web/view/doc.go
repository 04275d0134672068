// Package view holds the JSON objects of the API for tasks, rows, queues, schedules, keys and tenants.
// Each object of the contract has one struct and the functions that fill it.
//
// It promises the fields of openapi.yaml, whose schemas are generated from these structs; and texts in
// the words of the kind and in the language of the caller (Localizer). Sensitive values are masked,
// and only operators see system faults.
//
// It reads no store and no request. The pages show the same structs.
package view
