// Package jsonrows cuts a text into rows that are JSON objects, one a line or in one list,
// and parses such a row.
//
// The promise: a row that is malformed or too large costs itself, and the rows behind it are
// read. A list ends only with its closing bracket. A number keeps every digit.
//
// The package is independent of kinds: package drafts matches names with fields.
package jsonrows
