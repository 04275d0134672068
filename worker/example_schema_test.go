package worker_test

import (
	"context"
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"github.com/rollcall-dev/rollcall/worker"
)

// contract is one row of a list: its tags are parser, validation, template,
// JSON Schema and the columns of an editor.
type contract struct {
	No    string          `row:"No" alias:"number,Nr." key:"true" validate:"required,max=8"`
	Fee   decimal.Decimal `row:"Fee" locale:"de" unit:"€" validate:"gt=0" hint:"per month"`
	From  time.Time       `row:"From" format:"2.1.2006"`
	Paid  bool            `row:"Paid" yes:"bezahlt"`
	Phone string          `row:"Phone" sensitive:"true"`
}

// The tags of a struct say how the cells of a row are read.
func ExampleSchema() {
	kind := worker.Define("contracts.import", func(context.Context, *worker.Job[contract]) error { return nil }).Kind()
	row := map[string]string{"No": "007", "Fee": "1.234,50 €", "From": "31.3.2026", "Paid": "bezahlt"}
	key, faults := kind.Check(func(f *worker.Field) string { return row[f.Name] })
	fmt.Println(key, len(faults))

	row = map[string]string{"Fee": "1.23", "From": "31.2.2026", "Phone": "030 1234567"}
	_, faults = kind.Check(func(f *worker.Field) string { return row[f.Name] })
	for _, f := range faults {
		fmt.Println(f.Code, f.Message)
	}
	fmt.Println(kind.ShowValue("Phone", row["Phone"]))
	// Output:
	// 007 0
	// REQUIRED No is empty
	// INVALID_NUMBER Fee: "1.23" is not a number like 1.234,5
	// INVALID_DATE From: "31.2.2026" is not a date like 31.3.2026
	// ••••4567
}

// Headings that are misspelt feed no field, but are told to be near one.
func ExampleSchema_Near() {
	s := worker.Define("contracts.import", func(context.Context, *worker.Job[contract]) error { return nil }).
		Kind().Schema
	headings := []string{"nr", "Fees", "Colour"}
	fmt.Println(s.Near(headings, s.Match(headings, nil)))
	// Output: map[Fees:Fee]
}
