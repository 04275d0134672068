// Package plans explains, for tests, how a database executes a statement: which indexes it uses, and how
// many rows its scans read.
package plans

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// Explain returns the plan of a statement. On Postgres, it disables sequential scans, so that the plan
// uses an index wherever an index is possible.
func Explain(t testing.TB, db *ledger.DB, text string, args ledger.Args) string {
	t.Helper()
	var plan strings.Builder
	err := db.Probe(t.Context(), func(tx ledger.Tx) error {
		plan.Reset()
		if db.Pool == nil {
			return lite(t, tx, text, args, &plan)
		}
		if _, err := tx.Exec(t.Context(), "SET LOCAL enable_seqscan = off", nil); err != nil {
			return err
		}
		return tx.Query(t.Context(), "EXPLAIN "+text, args, func(scan ledger.Scan) error {
			var line string
			err := scan(&line)
			plan.WriteString(line + "\n")
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return plan.String()
}

func lite(t testing.TB, tx ledger.Tx, text string, args ledger.Args, plan *strings.Builder) error {
	return tx.Query(t.Context(), "EXPLAIN QUERY PLAN "+text, args, func(scan ledger.Scan) error {
		var n int
		var line string
		err := scan(&n, &n, &n, &line)
		plan.WriteString(line + "\n")
		return err
	})
}

// RowsRead runs a statement on Postgres, and returns how many rows its scans returned or filtered
// out. On SQLite, which does not count rows, it returns 0.
func RowsRead(t testing.TB, db *ledger.DB, text string, args ledger.Args) int {
	t.Helper()
	if db.Pool == nil {
		return 0
	}
	var plan string
	var root any
	err := db.Probe(t.Context(), func(tx ledger.Tx) error {
		return tx.Query(t.Context(), "EXPLAIN (ANALYZE, FORMAT JSON) "+text, args,
			func(scan ledger.Scan) error { return scan(&plan) })
	})
	if err == nil {
		err = json.Unmarshal([]byte(plan), &root)
	}
	if err != nil {
		t.Fatal(err)
	}
	return int(scanned(root))
}

// scanned sums the rows that the scans of a plan returned or filtered.
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
