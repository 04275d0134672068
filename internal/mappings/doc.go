// Package mappings stores which heading of a file was imported as which column, by tenant, kind and
// headings.
//
// A mapping is suggested only if rows of its import have succeeded; the latest mapping comes first.
// A mapping without a name is deleted a year after its last use. A mapping is deleted 30 days after
// its last use if its import has ended without success, or does not exist. Users can delete any
// mapping.
package mappings
