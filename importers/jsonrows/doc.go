// Package jsonrows splits a text into rows that are JSON objects, and parses such rows. The text has one
// object per line, or one list of objects.
//
// A malformed or too large line affects only itself: the lines after it are read. The same holds for an
// element of a list whose quotes and brackets are balanced. Otherwise no element after it is read, and the
// list ends with an error. A list without its closing bracket is also an error. Numbers keep every digit.
//
// The package does not depend on kinds: package drafts matches names with fields.
package jsonrows
