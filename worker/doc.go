// Package worker is the API for Go developers, to define kinds and create jobs.
//
// A struct and a function define a kind. Tags of the struct name the columns of an upload and their
// rules. A nil error finishes the job. Fail is a business failure that a person repairs. Any other
// error is a system fault that is retried.
//
//	type Product struct {
//		SKU   string          `row:"SKU" key:"true" validate:"required,max=64"`
//		Price decimal.Decimal `row:"Price" validate:"gt=0"`
//	}
//	var ImportProduct = worker.Define("products.import", save)
//
// The tags of a field:
//
//	row:"SKU"           heading of the column; fields without it are not columns
//	alias:"sku,code"    other headings that mean the same
//	key:"true"          the ordering key; at most one field
//	version:"true"      date or whole number: no row runs after a greater version of its key finished
//	validate:"…"        rules of go-playground/validator; "required" refuses blanks
//	code:"TOO_CHEAP"    code of a broken rule other than required and max
//	format:"…|…"        layouts of a date, besides 2006-01-02; exports omit the time if the first does
//	locale:"de"         how numbers are written: 1.234,56; else 1234.56, or as the import sets it
//	unit:"$|USD|%"      what may stand around a number, and is dropped; 95% is 0.95
//	yes:"…|…", no:"…"   words of a boolean, besides those of Rollcall's languages
//	sensitive:"true"    shown as its last characters only
//	example, hint       shown to the person who fills the file in
//
// Package worker/workertest tests handlers, worker/rollcall embeds the service.
package worker
