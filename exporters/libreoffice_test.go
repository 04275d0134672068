//go:build libreoffice

package exporters

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/internal/table"
)

// asShown is the filter with which LibreOffice writes each sheet as a text file in UTF-8. It writes
// every cell as it is shown.
const asShown = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true,false,false,-1"

// TestLibreOfficeReadsTheSame: each sheet of a workbook, converted to CSV, equals the CSV of the
// same rows.
func TestLibreOfficeReadsTheSame(t *testing.T) {
	t.Parallel()
	columns := []table.Column{
		{Name: "Text", Type: "text"},
		{Name: "Price", Type: "number"},
		{Name: "Stock", Type: "integer"},
		{Name: "Day", Type: "date"},
		{Name: "None", Type: "text"},
	}
	var rows [][]table.Cell
	for n := range 3000 {
		rows = append(rows, []table.Cell{
			{Kind: table.Text, Text: fmt.Sprintf("row %d: «é» \"quoted\", 0%d & <b>", n, n)},
			{Kind: table.Decimal, Int: int64(n)*25 - 1000, Digits: 2},
			{Kind: table.Integer, Int: int64(n)},
			{Kind: table.Moment, Time: time.Date(2026, 1, 1, 0, 0, n%2*n, 0, time.UTC).AddDate(0, 0, n)},
			{},
		})
	}
	dir := t.TempDir()
	const most = 2000
	path := filepath.Join(dir, "book.xlsx")
	if err := os.WriteFile(path, fileOf(t, table.Spec{Format: "xlsx"}, columns, most, rows), 0o600); err != nil {
		t.Fatal(err)
	}
	convert := exec.CommandContext(t.Context(), "soffice", "-env:UserInstallation=file://"+dir+"/profile",
		"--headless", "--convert-to", asShown, "--outdir", dir, path)
	if out, err := convert.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want := readCSV(t, fileOf(t, table.Spec{Format: "csv"}, columns, most, rows))
	var got [][]string
	for i, name := range []string{"book-Prices.csv", "book-Prices (2).csv"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		sheet := readCSV(t, text)
		if got = append(got, sheet[min(i, 1):]...); !cmp.Equal(sheet[0], want[0]) {
			t.Errorf("the headings of %s are %q", name, sheet[0])
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%.2000s", diff)
	}
}

func readCSV(t *testing.T, text []byte) [][]string {
	t.Helper()
	out, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return out
}
