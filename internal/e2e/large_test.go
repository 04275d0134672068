package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/samples"
)

// largeFile writes a file with rows of 5 kB, 50 kB and 190 kB among short ones. Rows of 5 kB and 50
// kB have the SKU of the row before, so that both wait under one key.
func largeFile(t *testing.T, rows int) (path string, want samples.Counts) {
	t.Helper()
	var text strings.Builder
	text.WriteString("SKU,Name,Price,Brand,Note\n")
	skus := map[int]bool{}
	for i := range rows {
		sku, name, note := i, "", ""
		switch { // a cell has up to 32,767 characters, these of three bytes
		case i%100 == 99:
			name, note = strings.Repeat("名", 31_000), strings.Repeat("字", 32_000)
		case i%50 == 49:
			sku, note = i-1, strings.Repeat("字", 17_000)
		case i%10 == 9:
			sku, note = i-1, strings.Repeat("x", 5_500)
		}
		skus[sku] = true
		fmt.Fprintf(&text, "SKU-%d,product %d%s,1.50,Acme,%s\n", sku, i, name, note)
	}
	path = filepath.Join(t.TempDir(), "large.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, samples.Counts{Rows: rows, Good: rows, DistinctSKU: len(skus)}
}

// TestEmbedded_RowsOfAllSizes_AllFinish imports large rows among short ones into the
// service in one process.
func TestEmbedded_RowsOfAllSizes_AllFinish(t *testing.T) {
	t.Parallel()
	path, want := largeFile(t, long(2000))
	dir := t.TempDir()
	p := embedded(t, dir)
	v := follow(t, p.URL(), start(t, p.URL(), path).ID, done)
	if v.Status != "finished" || v.Counts.Finish != want.Rows {
		t.Errorf("status %s, %+v, want %d rows to finish", v.Status, v.Counts, want.Rows)
	}
	p.Term()
	if code := p.Wait(); code != 0 {
		t.Errorf("exit code %d after SIGTERM; stderr:\n%s", code, p.Stderr())
	}
	verdict(t, sqlite(dir), v, want)
	if log := p.Stderr(); strings.Contains(log, "a script failed in redis") {
		t.Errorf("the log tells of errors:\n%s", log)
	}
}
