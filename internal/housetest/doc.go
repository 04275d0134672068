// Package housetest holds the house to its rules: who may import whom, which
// package knows which library, how long a file may be, and what must be
// documented. docs/design.md tells why.
//
// It reads files, and lists what the programs are linked from; it compiles nothing and
// holds nothing but tests.
// Nested modules, such as bench, are houses of their own.
package housetest
