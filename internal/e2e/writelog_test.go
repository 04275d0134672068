//go:build all || outside

package e2e

import (
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/cmd/worker/workers"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// writeLog has Postgres record every write of the catalogue, as a proof of the order in which the
// rows of a key took effect.
func writeLog(t *testing.T, db *ledger.DB) {
	t.Helper()
	if err := workers.MakeCatalogue(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"CREATE TABLE catalogue_log (num bigserial PRIMARY KEY, sku text NOT NULL, job_id text NOT NULL)",
		`CREATE FUNCTION note_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			INSERT INTO catalogue_log (sku, job_id) VALUES (NEW.sku, NEW.job_id); RETURN NEW; END $$`,
		"CREATE TRIGGER note_write AFTER INSERT OR UPDATE ON catalogue FOR EACH ROW EXECUTE FUNCTION note_write()",
	} {
		if err := db.Write.Exec(text).Error; err != nil {
			t.Fatal(err)
		}
	}
}

// inOrder checks that the rows of each key of these tasks were written in order, the last row last.
// If processes were killed, only the first write of each row counts, because a row may run again.
func inOrder(t *testing.T, db *ledger.DB, ids, keys []string, killed bool) {
	t.Helper()
	var log []struct{ SKU, JobID string }
	if err := db.Read.Raw("SELECT sku, job_id FROM catalogue_log ORDER BY num").Scan(&log).Error; err != nil {
		t.Fatal(err)
	}
	last, newest, seen, wrong := map[string]int{}, map[string]int{}, map[int]bool{}, map[string]int{}
	for _, one := range log {
		at := place(t, ids, one.JobID)
		if at < newest[one.SKU] && !(killed && seen[at]) {
			wrong[one.SKU]++
		}
		last[one.SKU], newest[one.SKU], seen[at] = at, max(at, newest[one.SKU]), true
	}
	if len(wrong) > 0 {
		t.Errorf("of %d keys rows were written behind newer ones: %v", len(wrong), wrong)
	}
	rows := keyedRows()
	for i, sku := range keys {
		want := (len(ids)-1)*rows + (rows-1-i)/len(keys)*len(keys) + i + 1
		if last[sku] != want {
			t.Errorf("%s: row %d was written last, want %d", sku, last[sku], want)
		}
	}
	if len(seen) != len(ids)*rows {
		t.Errorf("%d rows were written, want %d", len(seen), len(ids)*rows)
	}
}

// place returns the position of a job among the rows of tasks of the same length.
func place(t *testing.T, ids []string, job string) int {
	t.Helper()
	task, text, _ := strings.Cut(job, ".")
	seq, err := strconv.Atoi(text)
	at := slices.Index(ids, task)
	if err != nil || at < 0 {
		t.Fatalf("a job that is none of %v: %q", ids, job)
	}
	return at*keyedRows() + seq
}

// keyedRows returns the number of rows of keyedFile. Each file is pushed in several scripts.
func keyedRows() int {
	if testenv.Chaos || !testenv.All { // `make chaos` and `make deployments-test`
		return 6000
	}
	return 1200
}

// keyedFile writes a file whose rows have the given keys by turns. If all keys are of one shard, the rows
// are pushed in many scripts.
func keyedFile(t *testing.T, keys []string) string {
	t.Helper()
	text := "SKU,Name,Price,Brand\n"
	for i := range keyedRows() {
		text += fmt.Sprintf("%s,row %d,%d.50,Acme\n", keys[i%len(keys)], i+1, i+1)
	}
	path := filepath.Join(t.TempDir(), "keyed.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// keysOfAShard returns n keys of the first of the five shards of a kind.
func keysOfAShard(n int) (keys []string) {
	for i := 0; len(keys) < n; i++ {
		sku := fmt.Sprint("SKU-", i)
		if crc32.ChecksumIEEE([]byte("default/"+sku))%5 == 0 {
			keys = append(keys, sku)
		}
	}
	return keys
}
