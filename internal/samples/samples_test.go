package samples_test

import (
	"bytes"
	"encoding/csv"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/rollcall-dev/rollcall/internal/samples"
)

// testdata holds the options with which the committed files were made.
var testdata = samples.Options{Rows: 200, Invalid: 12, Failing: 8, Repeats: 40, Seed: 1}

// write returns the rows of a file without its header.
func write(t *testing.T, opt samples.Options) ([][]string, samples.Counts) {
	t.Helper()
	var b bytes.Buffer
	counts, err := samples.Write(&b, opt)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, b.Bytes(), opt.Format), counts
}

func read(t *testing.T, data []byte, format string) [][]string {
	t.Helper()
	if format == "csv" {
		rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows[1:]
	}
	f, err := excelize.OpenReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := f.GetRows("Sheet1")
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

func TestCountsAreWhatTheFileHolds(t *testing.T) {
	t.Parallel()
	opt := samples.Options{
		Format: "csv", Rows: 1000, Invalid: 50, Failing: 40, Errors: 7, Repeats: 100, Seed: 3,
	}
	rows, counts := write(t, opt)
	if len(rows) != 1000 || counts.Good != 1000-50-40-7 {
		t.Fatalf("%d rows, %+v", len(rows), counts)
	}
	last, skus, bad := map[string]samples.Last{}, map[string]bool{}, 0
	for i, r := range rows {
		if r[4] == "Unheard Of" || r[6] == "!error" || broken(r) {
			bad++
			continue
		}
		skus[r[0]] = true
		if strings.HasPrefix(r[0], "HOT-") {
			l := samples.Last{Row: i + 2, Name: r[1], Price: r[2], Writes: last[r[0]].Writes + 1}
			last[r[0]] = l
		}
	}
	if bad != 50+40+7 || len(skus) != counts.DistinctSKU {
		t.Errorf("%d bad rows, %d SKUs; counts say %+v", bad, len(skus), counts)
	}
	if diff := cmp.Diff(counts.Last, last); diff != "" || len(last) != 10 {
		t.Errorf("last good rows (-told +found):\n%s", diff)
	}
}

// broken reports whether Write has made a row invalid.
func broken(r []string) bool {
	return r[0] == "" || len(r[0]) > 64 || r[1] == "" || r[2] == "twelve" || r[2] == "12.5.1" ||
		strings.HasPrefix(r[2], "-") || r[2] == "0.00" || r[5] == "soon" || r[5] == "2026-02-31"
}

func TestWriteIsDeterministic(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"csv", "xlsx"} {
		opt := samples.Options{Format: format, Rows: 300, Invalid: 20, Failing: 20, Repeats: 30}
		a, countsA := write(t, opt)
		b, countsB := write(t, opt)
		if diff := cmp.Diff(a, b) + cmp.Diff(countsA, countsB); diff != "" {
			t.Errorf("%s: the same options gave other rows:\n%s", format, diff)
		}
		opt.Seed = 9
		if c, _ := write(t, opt); cmp.Equal(a, c) {
			t.Errorf("%s: another seed gave the same rows", format)
		}
	}
}

func TestCommittedFilesAreThoseOfTheOptions(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"csv", "xlsx"} {
		data, err := os.ReadFile("../../testdata/products." + format)
		if err != nil {
			t.Fatal(err)
		}
		opt := testdata
		opt.Format = format
		want, _ := write(t, opt)
		if diff := cmp.Diff(want, read(t, data, format)); diff != "" {
			t.Errorf("testdata/products.%s is not what gen writes (-want +got):\n%s", format, diff)
		}
	}
}

func TestImpossibleOptionsAreRefused(t *testing.T) {
	t.Parallel()
	for _, opt := range []samples.Options{
		{Rows: 10, Invalid: 11}, {Rows: 10, Failing: -1}, {Format: "pdf"},
	} {
		if _, err := samples.Write(&bytes.Buffer{}, opt); err == nil {
			t.Errorf("Write(%+v) gave no error", opt)
		}
	}
}
