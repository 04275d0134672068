package importers_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
)

// bookOf returns a workbook with headings and 40 rows. Its sheet has the XML that `form` returns.
func bookOf(t *testing.T, form func(sheet string) string) string {
	t.Helper()
	var rows strings.Builder
	for i := range 40 {
		fmt.Fprintf(&rows, `<row r="%d"><c r="A%[1]d"><v>1</v></c><c r="B%[1]d"><v>2</v></c></row>`, i+2)
	}
	headings := strings.NewReplacer("<t>A<", "<t>SKU<", "<t>B<", "<t>Stock<").Replace(uploads.Header)
	book := uploads.NewWorkbook(headings + rows.String())
	return string(book.With(uploads.SheetPart, form(book[uploads.SheetPart])).Zip(t))
}

func TestSplit_LongWorkbookInAnyXML_AddsNone(t *testing.T) {
	t.Parallel()
	replace := func(row string) func(string) string {
		return func(sheet string) string { return strings.ReplaceAll(sheet, "<row ", row) }
	}
	wide := func(s string) string { return string(uploads.UTF16(s)) }
	for name, form := range map[string]func(string) string{
		"as Excel does":    replace("<row "),
		"with line ends":   replace("<row\n"),
		"with returns":     replace("<row\r\n"),
		"with tabs":        replace("<row\t"),
		"in UTF-16":        wide,
		"in marked UTF-16": func(s string) string { return wide("\uFEFF" + s) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newSplitterEnv(t, ledgers.SQLite(t))
			for limit, want := range map[int]int64{40: 40, 39: 0} {
				created := p.accept(t, bookOf(t, form))
				task, claim := p.claim(t, time.Minute)
				opt := importers.SplitterOptions{Limits: tabular.Limits{Rows: limit}}
				if err := p.splitter(opt).Split(t.Context(), task, claim); err != nil {
					t.Fatal(err)
				}
				got := p.after(t, created.ID)
				refused := got.Problem != nil && got.Problem.Code == tabular.CodeTooManyRows
				if got.Total != want || refused != (want == 0) {
					t.Errorf("limit %d: %d rows added, problem %v, want %d", limit, got.Total, got.Problem, want)
				}
			}
		})
	}
}
