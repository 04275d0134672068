package tabular

// Formats of tables.
const (
	FormatXLSX = "xlsx"
	FormatCSV  = "csv"
	FormatTSV  = "tsv"
)
