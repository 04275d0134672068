package e2e

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/samples"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// embedded starts the whole service in one process on a data folder.
func embedded(t *testing.T, dataDir string) *testenv.Process {
	t.Helper()
	return embeddedOf(t, testenv.Binary(t, "./cmd/api"), dataDir)
}

// embeddedOf is like embedded, for another program.
func embeddedOf(t *testing.T, path, dataDir string) *testenv.Process {
	t.Helper()
	return testenv.StartProcess(t, path, []string{
		"LISTEN=127.0.0.1:0", "DATA_DIR=" + dataDir,
	})
}

func TestEmbedded(t *testing.T) {
	t.Parallel()
	path, want := sample(t, samples.Options{
		Rows: 1000, Format: "xlsx", Seed: 1, Invalid: 25, Failing: 15, Errors: 3, Repeats: 200,
	})
	dir := t.TempDir()
	p := embeddedOf(t, testenv.RaceBinary(t, "./cmd/api"), dir)
	url := p.URL()
	id := start(t, url, path).ID
	stream := listen(t, url, id)
	v := follow(t, url, id, done)
	if last := <-stream; last.Version != v.Version || last.Counts != v.Counts {
		t.Errorf("the stream ended with %+v, the poll with %+v", last, v)
	}
	if v.Status != "finished_with_failures" || v.Outcome != "partial" {
		t.Errorf("status %s, outcome %s", v.Status, v.Outcome)
	}
	bad := want.Invalid + want.Failing + want.Errors
	if len(v.Errors) != 20 || v.Errors[0].Row > v.Errors[19].Row {
		t.Errorf("the poll has %d errors, want the first 20 in file order", len(v.Errors))
	}
	listing(t, url, v.ID, bad)
	resultFiles(t, url, v.ID, want)

	p.Term()
	if code := p.Wait(); code != 0 {
		t.Errorf("exit code %d after SIGTERM; stderr:\n%s", code, p.Stderr())
	}
	verdict(t, sqlite(dir), v, want)
}

// listing reads the pages of errors and events.
func listing(t *testing.T, url, id string, bad int) {
	t.Helper()
	for list, want := range map[string]int{"errors": bad, "events": 1000} {
		n, cursor := 0, ""
		for {
			var page struct {
				Items      []struct{ Row int }
				NextCursor *string `json:"next_cursor"`
			}
			get(t, url+"/api/v1/tasks/"+id+"/"+list+"?limit=17&cursor="+cursor, &page)
			n += len(page.Items)
			if page.NextCursor == nil {
				break
			}
			cursor = *page.NextCursor
		}
		if n != want {
			t.Errorf("the pages of %s have %d items, want %d", list, n, want)
		}
	}
}

// resultFiles downloads the failed rows in both formats.
func resultFiles(t *testing.T, url, id string, want samples.Counts) {
	t.Helper()
	body, err := fetch(url + "/api/v1/tasks/" + id + "/result?only=failed&format=csv")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.TrimPrefix(string(body), "\ufeff")
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(records) != 1+want.Invalid+want.Failing {
		t.Errorf("the csv of failed rows has %d records, %v", len(records), err)
	}
	rows := opened(t, url, id, "failed&format=xlsx").rows
	if len(rows) != len(records) {
		t.Fatalf("the workbook of failed rows has %d rows", len(rows))
	}
	for i, row := range rows {
		if row[0] != records[i][0] || row[len(row)-1] != records[i][len(records[i])-1] {
			t.Errorf("row %d: workbook %q, csv %q", i, row, records[i])
		}
	}
}

// TestEmbeddedKilled kills the process again and again in the middle of an import: no row is lost,
// and none is recorded twice.
func TestEmbeddedKilled(t *testing.T) {
	t.Parallel()
	path, want := sample(t, samples.Options{
		Rows: long(10_000), Format: "xlsx", Seed: 2,
		Invalid: long(250), Failing: long(150), Errors: 5, Repeats: long(1000),
	})
	dir := t.TempDir()
	p := embedded(t, dir)
	id := start(t, p.URL(), path).ID
	for _, n := range []int{0, 1500, 4000, 8000} {
		follow(t, p.URL(), id, processed(long(n)))
		p.Kill()
		p = embedded(t, dir)
	}
	v := follow(t, p.URL(), id, done)
	p.Kill()
	verdict(t, sqlite(dir), v, want)
}
