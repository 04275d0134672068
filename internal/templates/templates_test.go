package templates_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/templates"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/worker"
)

// member is a row with a column of every type.
type member struct {
	No     string          `row:"No" key:"true" validate:"required,max=8,numeric" example:"00042"`
	Fee    decimal.Decimal `row:"Fee" validate:"gt=0" locale:"de" unit:"€" example:"1.234,50" hint:"per month"`
	Seats  *int            `row:"Seats" validate:"omitempty,gte=1,lte=9" example:"4"`
	Since  time.Time       `row:"Since" format:"2006-01-02|2.1.2006" example:"2026-03-31"`
	Plan   string          `row:"Plan" validate:"required,oneof=Basic 'Gold0x2C large'" example:"Basic"`
	Active bool            `row:"Active" yes:"ja" example:"yes"`
	Mail   string          `row:"Mail" validate:"omitempty,email" sensitive:"true" example:"ann@example.com"`
}

var kind = jobs.KindOf(worker.Define("members.import",
	func(context.Context, *worker.Job[member]) error { return nil },
	worker.Messages("ru", map[string]string{"Fee.hint": "в месяц"})))

// filled returns a template with its example filled in, and a date and a number as Excel stores them.
func filled(t *testing.T, lang string) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := templates.XLSX(&out, kind, lang); err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	yes, _ := words.Say(lang, "yes", nil)
	for cell, v := range map[string]any{
		"A2": "00042", "B2": "1.234,50 €", "C2": 4, "E2": "Gold, large", "F2": yes, "G2": "ann@example.com",
		"A3": "7", "B3": 1234.5, "C3": 9.0, "D3": 46112, "E3": "Basic", "F3": "ja",
	} {
		if err := f.SetCellValue("members.import", cell, v); err != nil {
			t.Fatal(err)
		}
	}
	var again bytes.Buffer
	if err := f.Write(&again); err != nil {
		t.Fatal(err)
	}
	return again.Bytes()
}

// TestAFilledTemplateIsImported imports a filled template in every language, and checks the values.
func TestAFilledTemplateIsImported(t *testing.T) {
	t.Parallel()
	for _, lang := range words.Languages() {
		t.Run(lang, func(t *testing.T) {
			t.Parallel()
			rows := read(t, filled(t, lang))
			if len(rows) != 2 {
				t.Fatalf("%d rows, want 2: %v", len(rows), rows)
			}
			for i, want := range []string{"00042", "7"} {
				key, faults := kind.Check(func(f *rowschema.Field) string { return rows[i][f.Name] })
				if len(faults) > 0 || key != want {
					t.Errorf("row %d: key %q, faults %+v", i+1, key, faults)
				}
			}
			if got := rows[1]["Since"] + " " + rows[1]["Fee"]; got != "2026-03-31 1234,5" {
				t.Errorf("a date and a number of Excel are %q", got)
			}
		})
	}
}

// read returns what the importer reads from a file.
func read(t *testing.T, file []byte) []map[string]string {
	t.Helper()
	in, err := importers.Inspect(bytes.NewReader(file), int64(len(file)), kind, importers.Options{Name: "x.xlsx"})
	if err != nil {
		t.Fatal(err)
	}
	src, err := source.Open(bytes.NewReader(file), int64(len(file)), source.Options{Name: "x.xlsx"})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	var out []map[string]string
	for {
		row, err := src.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		cells := map[string]string{}
		for i, c := range row.Cells {
			f := kind.Schema.Match([]string{in.Columns[i].Field}, nil).Fields[0]
			if cells[f.Name] = c.Text; c.Plain {
				cells[f.Name] = f.Local(c.Text)
			}
		}
		out = append(out, cells)
	}
}

// TestAnUntouchedTemplateHasNoRows: an upload of such a file is refused with this reason.
func TestAnUntouchedTemplateHasNoRows(t *testing.T) {
	t.Parallel()
	for _, lang := range words.Languages() {
		for format, write := range map[string]func(io.Writer, jobs.Kind, string) error{
			"x.xlsx": templates.XLSX, "x.csv": templates.CSV,
		} {
			var out bytes.Buffer
			if err := write(&out, kind, lang); err != nil {
				t.Fatal(err)
			}
			_, err := importers.Inspect(bytes.NewReader(out.Bytes()), int64(out.Len()), kind,
				importers.Options{Name: format})
			var p *tabular.Problem
			if !errors.As(err, &p) || p.Code != tabular.CodeNoDataRows {
				t.Errorf("%s %s: %v, want %s", lang, format, err, tabular.CodeNoDataRows)
			}
		}
	}
}

// TestAFilledCSVIsImported: the explaining lines are skipped.
func TestAFilledCSVIsImported(t *testing.T) {
	t.Parallel()
	for lang, row := range map[string]string{
		"en": "00042,\"1.234,50\",4,31.3.2026,Basic,yes,ann@example.com\r\n",
		"ru": "00042;1.234,50;4;31.3.2026;Basic;да;ann@example.com\r\n",
	} {
		var out bytes.Buffer
		if err := templates.CSV(&out, kind, lang); err != nil {
			t.Fatal(err)
		}
		out.WriteString(row)
		rows := read(t, out.Bytes())
		if len(rows) != 1 {
			t.Fatalf("%s: %v", lang, rows)
		}
		if _, faults := kind.Check(func(f *rowschema.Field) string { return rows[0][f.Name] }); len(faults) > 0 {
			t.Errorf("%s: %+v", lang, faults)
		}
	}
}

// TestNotesAndDropDowns reads the notes and drop-down lists that users see.
func TestNotesAndDropDowns(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := templates.XLSX(&out, kind, "ru"); err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	notes, err := f.GetComments("members.import")
	if err != nil || len(notes) != 7 {
		t.Fatalf("%d notes, %v", len(notes), err)
	}
	fee := ""
	for _, p := range notes[1].Paragraph {
		fee += p.Text
	}
	for _, want := range []string{"Число", "Можно оставить пустым", "больше нуля", "в месяц", "1.234,50"} {
		if !strings.Contains(fee+notes[1].Text, want) {
			t.Errorf("the note of Fee does not say %q: %s", want, fee)
		}
	}
	for column, want := range map[string]string{"A": "@", "B": "General", "C": "0", "D": "yyyy-mm-dd", "G": "@"} {
		id, err := f.GetColStyle("members.import", column)
		if err != nil {
			t.Fatal(err)
		}
		style, err := f.GetStyle(id)
		if err != nil || style.CustomNumFmt == nil || *style.CustomNumFmt != want {
			t.Errorf("column %s is shown as %+v, %v, want %s", column, style, err, want)
		}
	}
	lists, err := f.GetDataValidations("members.import")
	if err != nil || len(lists) != 2 || lists[0].Sqref != "E2:E1048576" {
		t.Errorf("drop-downs: %v, %v", lists, err)
	}
	values, err := f.GetCols("_lists")
	if fmt.Sprint(values) != "[[Basic Gold, large] [да нет]]" {
		t.Errorf("values: %q, %v", values, err)
	}
	if visible, err := f.GetSheetVisible("_lists"); visible || err != nil {
		t.Errorf("the values are visible: %v", err)
	}
}

// TestRules_TemplateSays_WhatACellHolds: the sentences differ from those of faults.
func TestRules_TemplateSays_WhatACellHolds(t *testing.T) {
	t.Parallel()
	type limited struct {
		Name string `row:"Name" validate:"max=5"`
		Code string `row:"Code" validate:"startswith=A"`
	}
	k := jobs.KindOf(worker.Define("limited", func(context.Context, *worker.Job[limited]) error { return nil }))
	for i, want := range []string{"Name has at most 5 characters", "Code must follow the rule startswith A"} {
		if got := k.Schema.Fields[i].Requirements("en"); got[len(got)-1] != want {
			t.Errorf("rules %q, want %q", got, want)
		}
	}
}

// TestEverySentenceIsWhole: no sentence of a rule has an unfilled placeholder.
func TestEverySentenceIsWhole(t *testing.T) {
	t.Parallel()
	for _, lang := range words.Languages() {
		for i := range kind.Schema.Fields {
			f := &kind.Schema.Fields[i]
			for _, text := range append(f.Requirements(lang), f.TypeName(lang)) {
				if text == "" || strings.ContainsAny(text, "{}") {
					t.Errorf("%s: %s asks %q", lang, f.Name, text)
				}
			}
		}
	}
}

// TestXLSX_TitleOfAKind_NamesTheSheet: Excel accepts at most 31 UTF-16 units of the title,
// rejects some characters, and compares names of sheets without regard to case.
func TestXLSX_TitleOfAKind_NamesTheSheet(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"Members": "Members", `In/out\it: [all]?`: "In_out_it_ _all__", "How to fill in": "members.import", "'": "members.import",
		"Все члены клуба и все их платежи за год": "Все члены клуба и все их платеж",
		strings.Repeat("🎟", 16):             strings.Repeat("🎟", 15),
		strings.Repeat("m", 30) + "'s fees": strings.Repeat("m", 30),
		"_LISTS":                            "members.import",
	} {
		k := jobs.KindOf(worker.Define("members.import", func(context.Context, *worker.Job[member]) error { return nil }, worker.Title(title)))
		var out bytes.Buffer
		if err := templates.XLSX(&out, k, "en"); err != nil {
			t.Fatal(err)
		}
		f, err := excelize.OpenReader(&out)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.GetSheetName(0); got != want {
			t.Errorf("%q: the sheet is %q, want %q", title, got, want)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
