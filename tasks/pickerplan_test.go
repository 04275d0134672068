package tasks_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestWaiting_ManyFilesUnread_ReadsTheFirst: 20 of 100,000 are next, of ten tenants and two kinds.
func TestWaiting_ManyFilesUnread_ReadsTheFirst(t *testing.T) {
	on(t, func(d *desk) {
		n := 2000
		if testenv.All {
			n = 100_000
		}
		d.fine(d.db.Write.Exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
			INSERT INTO tasks (id, tenant, kind, type, status, file_id, created_at)
			SELECT cast(i AS text), 't' || (i % 10), 'k' || (i % 20 / 10), 'import', 'open', cast(i AS text), i FROM n`, n).Error)
		args := ledger.Args{"stage": int(tasks.Reading), "now": int64(1000)}
		returned := 0
		d.fine(d.db.Reader().Query(d.Context(), tasks.WaitingSQL, args, func(scan ledger.Scan) error {
			returned++
			return nil
		}))
		d.same(20, returned)
		d.indexed(tasks.WaitingSQL, args, "tasks_work_idx")
		if read := d.rowsRead(tasks.WaitingSQL, args); read > 10*returned {
			d.Errorf("%d rows are read for %d that are returned", read, returned)
		}
	})
}

// wholeTable matches plans that read or sort all rows of a table. A scan of an index ends at
// its first entry here.
var wholeTable = regexp.MustCompile(`Seq Scan|Sort Key|SCAN (t|d|o|tasks|outbox|deliveries)\n|TEMP B-TREE`)

// indexed fails the test unless a statement reads tables by an index of that name, or by number.
func (d *desk) indexed(text string, args ledger.Args, index string) {
	d.Helper()
	var plan strings.Builder
	d.fine(d.db.Probe(d.Context(), func(tx ledger.Tx) error {
		return explain(d.Context(), tx, d.db.Pool == nil, text, args, &plan)
	}))
	if told := plan.String(); !strings.Contains(told, index) || wholeTable.MatchString(told) {
		d.Errorf("a table is read without %s:\n%s", index, told)
	}
}

// rowsRead returns how many rows the scans of a statement read on Postgres, 0 on SQLite.
func (d *desk) rowsRead(text string, args ledger.Args) int {
	d.Helper()
	if d.db.Pool == nil {
		return 0
	}
	var plan string
	d.fine(d.db.Probe(d.Context(), func(tx ledger.Tx) error {
		return tx.Query(d.Context(), "EXPLAIN (ANALYZE, FORMAT JSON) "+text, args,
			func(scan ledger.Scan) error { return scan(&plan) })
	}))
	var root any
	d.fine(json.Unmarshal([]byte(plan), &root))
	return int(scanned(root))
}

// scanned adds up the rows that the scans of a plan returned or filtered.
func scanned(node any) (rows float64) {
	switch node := node.(type) {
	case []any:
		for _, child := range node {
			rows += scanned(child)
		}
	case map[string]any:
		if _, ok := node["Relation Name"]; ok {
			number := func(name string) float64 { n, _ := node[name].(float64); return n }
			rows += (number("Actual Rows") + number("Rows Removed by Filter")) * number("Actual Loops")
		}
		for _, child := range node {
			rows += scanned(child)
		}
	}
	return rows
}
