// Package uploads makes files for tests, such as a workbook with a changed part, and reads whole
// files.
package uploads
