// Package mappings stores which heading of a file was imported as which column, by tenant, kind and
// headings.
//
// It promises that only mappings of imports with rows that succeeded are suggested again, the latest
// first. A mapping without a name is deleted a year after its last use. A mapping whose import did not
// end well is deleted after 30 days. Users can delete any mapping.
package mappings
