// Package uploads makes files for tests, such as a workbook with one part altered, and reads
// them to their end.
package uploads
