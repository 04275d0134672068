// Package jsonrows splits a text into rows that are JSON objects, and parses such rows. The text has one
// object per line, or one list of objects.
//
// If a line is malformed or has more than MaxBytes bytes, the lines after it are still read. The same
// holds for an element of a list, if the quotes and brackets of the element are balanced. Otherwise no
// element after it is read, and the list ends with an error. A list without its closing bracket is also
// an error. Numbers keep every digit.
//
// The package does not depend on kinds: package drafts matches names with fields.
package jsonrows
