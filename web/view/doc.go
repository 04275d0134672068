// Package view holds what the API shows of tasks, rows, queues, schedules, keys and tenants:
// one struct for each JSON object of the contract, and the functions that fill it.
//
// It promises the fields of openapi.yaml, whose schemas are generated from these structs;
// texts in the words of the kind and in the language of the caller (Localizer); and that
// sensitive values are masked and system faults are shown to operators alone.
//
// It reads no store and no request. The pages show the same structs.
package view
