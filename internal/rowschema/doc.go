// Package rowschema describes the rows of a kind: the columns, read from the tags of a struct, with
// their rules. It matches headings to columns, parses and validates cells, and states each fault as
// a sentence that can be translated.
//
// Promise: the package does not guess. Each cell gets either a value or a fault, by the rules of
// its column. The package does not depend on files or handlers.
package rowschema
