package importers

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

	"github.com/rollcall-dev/rollcall/internal/samples"
)

// randomTable is random rows as values for excelize and as the texts they must be.
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

// writers are the two ways in which excelize writes rows: with shared texts
// and with texts in the cells.
var writers = map[string]func(f *excelize.File, head []any, rows [][]any) error{
	"shared": func(f *excelize.File, head []any, rows [][]any) error {
		for i := range rows {
			if err := f.SetSheetRow("Sheet1", "A"+strconv.Itoa(i+2), &rows[i]); err != nil {
				return err
			}
		}
		return f.SetSheetRow("Sheet1", "A1", &head)
	},
	"inline": func(f *excelize.File, head []any, rows [][]any) error {
		w, err := f.NewStreamWriter("Sheet1")
		if err != nil {
			return err
		}
		if err := w.SetRow("A1", head); err != nil {
			return err
		}
		for i, row := range rows {
			if err := w.SetRow("A"+strconv.Itoa(i+2), row); err != nil {
				return err
			}
		}
		return w.Flush()
	},
}

// TestAgainstExcelize writes random workbooks, and reads what was put in.
func TestAgainstExcelize(t *testing.T) {
	t.Parallel()
	for how, write := range writers {
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
				r := readAll(b.Bytes(), OpenOptions{})
				if diff := cmp.Diff(want, r.texts()); r.err != nil || diff != "" {
					t.Errorf("err %v, (-written +read):\n%s", r.err, diff)
				}
				agree(t, b.Bytes(), r)
			})
		}
	}
}

// agree compares with what excelize itself reads, where it keeps values as
// they are: every text, and the number of rows.
func agree(t *testing.T, data []byte, r result) {
	t.Helper()
	f, err := excelize.OpenReader(bytes.NewReader(data), excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := f.GetRows("Sheet1")
	if err != nil || len(rows)-1 != len(r.rows) {
		t.Fatalf("excelize reads %d rows, %v; we read %d", len(rows)-1, err, len(r.rows))
	}
	for i, row := range r.rows {
		for col, c := range row.Cells {
			theirs := rows[i+1][col]
			if looksNumeric(theirs) || c.Text == "TRUE" {
				continue // a number, date or truth value: held against what was written
			}
			if theirs != c.Text {
				t.Errorf("row %d, column %d: excelize reads %q, we read %q", row.Number, col, theirs, c.Text)
			}
		}
	}
}

// TestSamplesReadTheSame: one table, as a workbook and as text.
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
		r := readAll(b.Bytes(), OpenOptions{})
		if r.err != nil || !cmp.Equal(r.src.Header, samples.Header[:]) {
			t.Fatalf("%s: header %q, %v", format, r.src.Header, r.err)
		}
		rows := r.texts()
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
		data, err := os.ReadFile("../testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		r := readAll(data, OpenOptions{Name: name})
		if r.err != nil || len(r.rows) != 200 || len(r.src.Warnings) > 0 {
			t.Errorf("%s: %d rows, %v, warnings %q", name, len(r.rows), r.err, r.src.Warnings)
		}
	}
}
