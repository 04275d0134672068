package importers_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/worker"
)

// tariff is a row with numbers in the form of a country.
type tariff struct {
	No    string          `row:"No" key:"true"`
	Fee   decimal.Decimal `row:"Fee" locale:"de" unit:"€"`
	Share decimal.Decimal `row:"Share" unit:"%"`
}

// TestANumberIsOneNumberInEveryFile: a number in the form of a country has one meaning, and one
// form in params. It may be a number or a text, in a workbook, a text file or JSON.
func TestANumberIsOneNumberInEveryFile(t *testing.T) {
	t.Parallel()
	kind := jobs.KindOf(worker.Define("tariffs.import", func(context.Context, *worker.Job[tariff]) error { return nil }))
	book := excelize.NewFile()
	t.Cleanup(func() { _ = book.Close() })
	for cell, v := range map[string]any{
		"A1": "No", "B1": "Fee", "C1": "Share", "A2": "a", "B2": 1.234, "C2": 0.95,
		"A3": "b", "B3": "1.234", "C3": "95%",
	} {
		if err := book.SetCellValue("Sheet1", cell, v); err != nil {
			t.Fatal(err)
		}
	}
	var xlsx bytes.Buffer
	if err := book.Write(&xlsx); err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]string{
		"a.xlsx":  xlsx.String(),
		"a.csv":   "No;Fee;Share\na;1,234;0.95\nb;1.234;95%\n",
		"a.jsonl": "{\"No\":\"a\",\"Fee\":1.234,\"Share\":0.95}\n{\"No\":\"b\",\"Fee\":\"1.234\",\"Share\":\"95%\"}\n",
	} {
		p, err := importers.ReadPreview(t.Context(), bytes.NewReader([]byte(file)), int64(len(file)), kind,
			importers.Options{Name: name}, false)
		if err != nil || p.Invalid > 0 || len(p.First) != 2 {
			t.Errorf("%s: %v, %+v", name, err, p)
			continue
		}
		for i, want := range []string{
			`{"No":"a","Fee":"1,234","Share":"0.95"} 1.234 0.95`, `{"No":"b","Fee":"1.234","Share":"95%"} 1234 0.95`,
		} {
			row := p.First[i]
			if got := fmt.Sprint(string(row.Cells), " ", row.Values["Fee"], " ", row.Values["Share"]); got != want {
				t.Errorf("%s: row %s is %s, want %s", name, row.Key, got, want)
			}
		}
	}
}
