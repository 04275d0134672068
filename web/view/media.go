package view

// MediaTypes are the formats of a result.
var MediaTypes = map[string]string{
	"csv":   "text/csv",
	"tsv":   "text/tab-separated-values",
	"jsonl": "application/x-ndjson",
	"xlsx":  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
