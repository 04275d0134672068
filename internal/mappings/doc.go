// Package mappings remembers which heading of a file was imported as which column, by tenant, kind
// and headings.
//
// It promises that only the matches of an import that ended with rows that succeeded are suggested
// again, and that the latest ones count. A matching without a name is deleted a year after its last
// use, one whose import did not end well after 30 days; a user deletes any.
package mappings
