//go:build all

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/samples"
)

// corrections is the answer to a corrected file.
type corrections struct {
	Matched, Changed, Resubmitted, Refused, Conflicts, Unchanged int
	StillInvalid                                                 int `json:"still_invalid"`
}

// correct sends a corrected file, which must be accepted.
func correct(t *testing.T, url, id, name string, content []byte) corrections {
	t.Helper()
	out, err := sendBack(url, id, name, content)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// sendBack sends a corrected file.
func sendBack(url, id, name string, content []byte) (out corrections, err error) {
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	part, err := w.CreateFormFile("file", name)
	if err != nil {
		return out, err
	}
	if _, err := part.Write(content); err != nil {
		return out, err
	}
	if err := w.Close(); err != nil {
		return out, err
	}
	resp, err := client.Post(url+"/api/v1/tasks/"+id+"/corrections", w.FormDataContentType(), &body)
	if err != nil {
		return out, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusAccepted {
		return out, fmt.Errorf("corrections: %s %s (%w)", resp.Status, answer, err)
	}
	return out, json.Unmarshal(answer, &out)
}

func (d *desk) column(heading string) int { return slices.Index(d.rows[0], heading) }

// repair corrects the n-th row as Excel does: numbers are typed again, and dates are written in the
// format of the country.
func (d *desk) repair(row []any, n int, price any) {
	d.t.Helper()
	for heading, value := range map[string]any{
		"SKU": fmt.Sprintf("FIX-%05d", n), "Name": "repaired", "Price": price, "Stock": 7.0, "Brand": "Acme", "Note": nil,
	} {
		row[d.column(heading)] = value
	}
	row[d.column("Start")] = excelize.Cell{StyleID: 1, Value: 46112.0}
}

// save returns a workbook of the rows, as the person has changed it: the columns and the rows are in
// reverse order, a column is added, and an empty row follows every hundred rows.
func (d *desk) save(rows [][]any) []byte {
	d.t.Helper()
	out := excelize.NewFile()
	defer out.Close()
	if style, err := out.NewStyle(&excelize.Style{NumFmt: 14}); err != nil || style != 1 { // m/d/yy
		d.t.Fatalf("style %d, %v", style, err)
	}
	sheet, err := out.NewStreamWriter("Sheet1")
	if err != nil {
		d.t.Fatal(err)
	}
	put := func(n int, row []any) {
		row = append([]any{"checked by me"}, row...)
		slices.Reverse(row)
		if err := sheet.SetRow(fmt.Sprintf("A%d", n), row); err != nil {
			d.t.Fatal(err)
		}
	}
	heads := make([]any, len(d.rows[0]))
	for i, h := range d.rows[0] {
		heads[i] = h
	}
	put(1, heads)
	for i := range rows {
		put(i+2+i/100, rows[len(rows)-1-i])
	}
	if err := sheet.Flush(); err != nil {
		d.t.Fatal(err)
	}
	var b bytes.Buffer
	if err := out.Write(&b); err != nil {
		d.t.Fatal(err)
	}
	return b.Bytes()
}

// cells returns the data rows as values that can be changed.
func (d *desk) cells() [][]any {
	var out [][]any
	for _, row := range d.rows[1:] {
		cells := make([]any, len(row))
		for i, text := range row {
			cells[i] = text
		}
		out = append(out, cells)
	}
	return out
}

// TestRoundTrip: of many rows, three in a hundred fail. They are downloaded, repaired in a spreadsheet
// and sent back, twice. Then all rows have finished, each has taken effect once, and no finished row
// has run again.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	all, bad := long(10_000), long(300)
	path, want := sample(t, samples.Options{
		Rows: all, Format: "xlsx", Seed: 5, Invalid: long(200), Failing: long(100),
	})
	dir := t.TempDir()
	p := embedded(t, dir)
	url := p.URL()
	id := start(t, url, path).ID
	v := follow(t, url, id, done)
	if v.Counts.Finish != want.Good || v.Counts.Failed != bad {
		t.Fatalf("before any repair: %+v", v.Counts)
	}
	early := versions(t, sqlite(dir))

	first := opened(t, url, id, "all")
	rows := first.cells()
	for i, row := range rows { // two thirds are repaired, some of them badly
		if status := row[first.column("Status")]; status == "failed" && i%3 > 0 {
			price := any(float64(i%50) + 0.5)
			if i%7 == 0 {
				price = -1
			}
			first.repair(row, i, price)
		}
	}
	content := first.save(rows)
	sent := correct(t, url, id, "first.xlsx", content)
	if sent.Matched != all || sent.Changed == 0 || sent.Resubmitted == 0 || sent.StillInvalid == 0 ||
		sent.Changed != sent.Resubmitted+sent.StillInvalid || sent.Refused+sent.Conflicts != 0 {
		t.Fatalf("first round: %+v", sent)
	}
	v = follow(t, url, id, done)
	if v.Counts.Finish != want.Good+sent.Resubmitted || v.Counts.Failed != bad-sent.Resubmitted {
		t.Fatalf("after %+v: %+v", sent, v.Counts)
	}
	if again := correct(t, url, id, "first.xlsx", content); again.Changed != 0 || again.Unchanged != all {
		t.Errorf("the same file again: %+v", again)
	}

	second := opened(t, url, id, "failed")
	rows = second.cells()
	for i, row := range rows {
		second.repair(row, 20_000+i, 12.5)
	}
	if sent = correct(t, url, id, "second.xlsx", second.save(rows)); sent.Resubmitted != len(rows) {
		t.Fatalf("second round of %d rows: %+v", len(rows), sent)
	}
	v = follow(t, url, id, done)
	if v.Counts.Finish != all || v.Outcome != "success" || v.Status != "finished" {
		t.Errorf("in the end: %s %s %+v", v.Status, v.Outcome, v.Counts)
	}
	late := versions(t, sqlite(dir))
	for id, version := range early {
		if late[id] != version {
			t.Errorf("event %d, which had finished, was changed", id)
		}
	}
	effects(t, sqlite(dir), all)
}

func versions(t *testing.T, url string) map[int64]int {
	t.Helper()
	db, err := ledger.Open(t.Context(), url, ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	return finished(t, db)
}

// effects checks that each row has been written to the catalogue once, and that the repaired rows have
// the right date.
func effects(t *testing.T, url string, rows int) {
	t.Helper()
	db, err := ledger.Open(t.Context(), url, ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var got struct{ Rows, Writes, Most int }
	err = db.Read.Raw("SELECT count(*) AS rows, sum(writes) AS writes, max(writes) AS most FROM catalogue").Scan(&got).Error
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(struct{ Rows, Writes, Most int }{rows, rows, 1}, got); diff != "" {
		t.Errorf("effects (-want +got):\n%s", diff)
	}
	var starts []string
	if err := db.Read.Raw("SELECT DISTINCT start_on FROM catalogue WHERE sku LIKE 'FIX-%'").Scan(&starts).Error; err != nil ||
		strings.Join(starts, " ") != "2026-03-31" {
		t.Errorf("dates of repaired rows: %q (%v)", starts, err)
	}
}
