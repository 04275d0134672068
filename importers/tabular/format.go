package tabular

// These are the formats of tables.
const (
	FormatXLSX = "xlsx"
	FormatCSV  = "csv"
	FormatTSV  = "tsv"
)
