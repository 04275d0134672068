// Package jsonrows splits a text into rows that are JSON objects, and parses such rows. The text has one
// object per line, or one list of objects.
//
// A malformed or too large row affects only itself: the rows after it are read. A list without its closing
// bracket is an error. Numbers keep every digit.
//
// The package does not depend on kinds: package drafts matches names with fields.
package jsonrows
