package xlsx_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/internal/samples"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
)

// randomTable returns random rows, as values for excelize and as the expected texts.
func randomTable(rnd *rand.Rand, rows int) (values [][]any, texts [][]string) {
	words := []string{
		"plain", "<b>&amp;", "a\nb", " blanks ", "日本", "😀",
		"0012", "#N/A", "=1+1", "a\tb", "\"q\"",
	}
	for range rows {
		row, text := []any{"key"}, []string{"key"}
		for range rnd.IntN(9) {
			v, s := value(rnd, words)
			row, text = append(row, v), append(text, s)
		}
		for len(text) > 0 && text[len(text)-1] == "" {
			text = text[:len(text)-1]
		}
		values, texts = append(values, row), append(texts, text)
	}
	return values, texts
}

func value(rnd *rand.Rand, words []string) (any, string) {
	switch rnd.IntN(6) {
	case 0:
		n := rnd.IntN(1 << 40)
		return n, strconv.Itoa(n)
	case 1:
		f := float64(rnd.IntN(1_000_000)) / 100
		return f, strconv.FormatFloat(f, 'f', -1, 64)
	case 2:
		return true, "TRUE"
	case 3:
		t := time.Date(1950, 1, 1, 0, 0, rnd.IntN(1<<31), 0, time.UTC)
		s := t.Format("2006-01-02T15:04:05")
		return t, strings.TrimSuffix(s, "T00:00:00")
	case 4:
		return nil, ""
	}
	w := words[rnd.IntN(len(words))]
	return w, w
}

// TestAgainstExcelize writes random workbooks with excelize, and reads the same texts.
func TestAgainstExcelize(t *testing.T) {
	t.Parallel()
	for how, write := range uploads.Writers {
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("%s/seed %d", how, seed), func(t *testing.T) {
				t.Parallel()
				rows, want := randomTable(rand.New(rand.NewPCG(seed, 1)), 300)
				f := excelize.NewFile()
				defer f.Close()
				var b bytes.Buffer
				if err := write(f, []any{"Key", "B", "C", "D", "E"}, rows); err != nil {
					t.Fatal(err)
				}
				if err := f.Write(&b); err != nil {
					t.Fatal(err)
				}
				r := uploads.Read(b.Bytes(), source.Options{})
				if diff := cmp.Diff(want, r.Texts()); r.Err != nil || diff != "" {
					t.Errorf("err %v, (-written +read):\n%s", r.Err, diff)
				}
				agree(t, b.Bytes(), r)
			})
		}
	}
}

// agree checks that excelize reads the same texts and the same number of rows from the file. Excelize may change
// other values, so agree does not check them.
func agree(t *testing.T, data []byte, r uploads.Reading) {
	t.Helper()
	f, err := excelize.OpenReader(bytes.NewReader(data), excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := f.GetRows("Sheet1")
	if err != nil || len(rows)-1 != len(r.Rows) {
		t.Fatalf("excelize reads %d rows, %v; we read %d", len(rows)-1, err, len(r.Rows))
	}
	for i, row := range r.Rows {
		for col, c := range row.Cells {
			theirs := rows[i+1][col]
			if _, err := strconv.ParseFloat(theirs, 64); err == nil || c.Text == "TRUE" {
				continue // a number, date or truth value: the caller compares it with the written value
			}
			if theirs != c.Text {
				t.Errorf("row %d, column %d: excelize reads %q, we read %q", row.Number, col, theirs, c.Text)
			}
		}
	}
}

// TestSamplesReadTheSame reads one table as a workbook and as text.
func TestSamplesReadTheSame(t *testing.T) {
	t.Parallel()
	read := func(format string) [][]string {
		opt := samples.Options{
			Rows: 2000, Format: format, Invalid: 60, Failing: 40, Errors: 5, Repeats: 300, Seed: 5,
		}
		var b bytes.Buffer
		if _, err := samples.Write(&b, opt); err != nil {
			t.Fatal(err)
		}
		r := uploads.Read(b.Bytes(), source.Options{})
		if r.Err != nil || !cmp.Equal(r.Table.Header, samples.Header[:]) {
			t.Fatalf("%s: header %q, %v", format, r.Table.Header, r.Err)
		}
		rows := r.Texts()
		for _, row := range rows {
			if f, err := strconv.ParseFloat(row[2], 64); err == nil {
				row[2] = fmt.Sprint(f) // 12.50 and 12.5 are one price
			}
		}
		return rows
	}
	if diff := cmp.Diff(read("csv"), read("xlsx")); diff != "" {
		t.Errorf("(-csv +xlsx):\n%s", diff)
	}
}

func TestCommittedSamples(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"products.csv", "products.xlsx"} {
		data, err := os.ReadFile("../../testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		r := uploads.Read(data, source.Options{Name: name})
		if r.Err != nil || len(r.Rows) != 200 || len(r.Table.Warnings) > 0 {
			t.Errorf("%s: %d rows, %v, warnings %q", name, len(r.Rows), r.Err, r.Table.Warnings)
		}
	}
}
