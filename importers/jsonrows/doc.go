// Package jsonrows cuts a text into rows that are JSON objects, one a line or in one list,
// and parses such a row.
//
// The promise: a malformed or too large row affects only itself, and the rows after it are read. A
// list ends only with its closing bracket. A number keeps every digit.
//
// The package is independent of kinds: package drafts matches names with fields.
package jsonrows
