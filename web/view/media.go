package view

// MediaTypes maps the formats of a result to media types.
var MediaTypes = map[string]string{
	"csv":   "text/csv",
	"tsv":   "text/tab-separated-values",
	"jsonl": "application/x-ndjson",
	"xlsx":  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
