// Package table writes rows as text, as JSON lines and as the XML of a workbook's sheet, and makes
// the other parts of the workbook.
//
// In text files, texts that a spreadsheet would evaluate as a formula are escaped, unless Spec.Raw
// is set. In workbooks, they are stored as texts. Characters that a character set or XML lacks are
// written as escapes. The output never depends on the time, the process or the order of a map.
//
// The package does not depend on tasks and stores: packages importers and exporters store the
// files.
package table
