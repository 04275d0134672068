// Package rowschema describes the rows of a kind: the columns, read from the tags of a struct, with
// their rules. It matches headings to columns, parses and validates cells, and states each fault as
// a sentence that can be translated.
//
// It promises that a cell gets the value that its column means, or a fault; it never guesses. It ends
// at the row: it uses no file and no handler.
package rowschema
