package importers

import (
	"bytes"
	"context"
	"testing"

	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

type price struct {
	SKU    string  `row:"SKU"`
	Weight float64 `row:"Weight"`
	Price  float64 `row:"Price"`
	Euro   float64 `row:"Euro" locale:"de"`
}

var priceKind = jobs.KindOf(worker.Define("prices.import",
	func(context.Context, *worker.Job[price]) error { return nil }))

// TestDecimal_OfAText_IsFoundOrChosen: a comma is found only where no number has a point.
func TestDecimal_OfAText_IsFoundOrChosen(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ data, ask, decimal, params string }{
		"a comma":              {"SKU;Price\n1,5;12,50\n", "", ",", `{"SKU":"1,5","Price":"12.50"}`},
		"thousands after it":   {"SKU;Price\na;1,234\nb;12,5\n", "", ",", `{"SKU":"a","Price":"1.234"}`},
		"a point":              {"SKU;Price\na;12.50\n", "", "", `{"SKU":"a","Price":"12.50"}`},
		"both":                 {"SKU;Price\na;12,50\nb;12.50\n", "", "", `{"SKU":"a","Price":"12,50"}`},
		"neither":              {"SKU;Price\na;1,234\n", "", "", `{"SKU":"a","Price":"1,234"}`},
		"neither, and chosen":  {"SKU;Price\na;1,234\n", ",", ",", `{"SKU":"a","Price":"1.234"}`},
		"a comma, but a point": {"SKU;Price\na;12,50\n", ".", ".", `{"SKU":"a","Price":"12,50"}`},
		"groups with spaces":   {"SKU;Price\na;1 234,50\n", "", ",", `{"SKU":"a","Price":"1234.50"}`},
		"a weight":             {"SKU;Weight;Price\na;1.250;12,50\n", "", "", `{"SKU":"a","Weight":"1.250","Price":"12,50"}`},
		"a light weight":       {"SKU;Weight;Price\na;0.250;12,50\n", "", "", `{"SKU":"a","Weight":"0.250","Price":"12,50"}`},
		"a heavy weight":       {"SKU;Weight;Price\na;12345.678;12,50\n", "", "", `{"SKU":"a","Weight":"12345.678","Price":"12,50"}`},
		"a country of its own": {"SKU;Euro\na;12,50\n", ",", ",", `{"SKU":"a","Euro":"12,50"}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := bytes.NewReader([]byte(tt.data))
			p, err := ReadPreview(t.Context(), in, in.Size(), priceKind, Options{Decimal: tt.ask}, false)
			if err != nil || p.Decimal != tt.decimal || string(p.First[0].Cells) != tt.params {
				t.Fatalf("decimal %q, cells %s, %v", p.Decimal, p.First[0].Cells, err)
			}
			said := ""
			if tt.ask == "" && tt.decimal != "" {
				said = "such as"
			}
			uploads.RequireWarning(t, p.Warnings, "decimal comma", said)
			others := ""
			if name == "a weight" {
				others = `"12,50", others a point, such as "1.250"`
			}
			uploads.RequireWarning(t, p.Warnings, "others a point", others)
			task := &tasks.Task{
				Columns: p.Columns, Options: map[string]any{"decimal": p.Decimal},
				Source: tasks.Source{HeaderRow: p.HeaderRow, FileFormat: p.Format, FileDelimiter: p.Delimiter},
			}
			file, err := recognizeTask(in, in.Size(), task, tabular.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			rows, err := openStream(file, priceKind, task, tabular.Limits{})
			if err == nil {
				err = rows.next()
			}
			if err != nil || string(rows.draft().Params) != tt.params {
				t.Errorf("imported %s, %v", rows.draft().Params, err)
			}
		})
	}
	if (Options{Decimal: ";"}).Check() == nil {
		t.Error("a semicolon passes as decimal")
	}
}
