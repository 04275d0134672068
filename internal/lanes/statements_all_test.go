//go:build all

package lanes

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/plans"
)

// waitingTasks is the number of waiting tasks of one row. Half of them are in one lane, a quarter
// belongs to a paused tenant, and a quarter is paused, held or not due.
const waitingTasks = 100_000

// backlog adds these tasks to the ledger.
var backlog = []string{
	`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
	INSERT INTO rollcall.tasks (id, tenant, kind, type, status, hold, run_at, total, enqueue, total_is_final, created_at)
	SELECT 'w' || i, CASE i % 4 WHEN 0 THEN 'paused' ELSE 'acme' END, 'k', 'batch',
	       CASE WHEN i % 12 = 1 THEN 'paused' ELSE 'running' END, CASE WHEN i % 12 = 5 THEN 'block' ELSE '' END,
	       CASE WHEN i % 12 = 9 THEN 9000000000000 ELSE 0 END, 1, 1, TRUE, 1 FROM n`,
	`INSERT INTO rollcall.lanes (tenant, kind) VALUES ('acme', 'k'), ('paused', 'k')`,
	`INSERT INTO rollcall.limits (tenant, paused) VALUES ('paused', TRUE)`,
	`INSERT INTO rollcall.feeds (task_num, unfed, lane, due_at)
	SELECT t.num, 1, n.id, CASE WHEN t.status = 'paused' OR t.hold <> '' THEN 9223372036854775807 ELSE t.run_at END
	FROM rollcall.tasks t JOIN rollcall.lanes n ON n.tenant = t.tenant`,
}

// TestStatements_ManyTasksWait_ReadTheNextFew runs the recurring statements of feeder, canceler,
// sweeper and poll with 100,000 waiting tasks. It runs them with old and new statistics, and again
// when half of a lane is done while another transaction keeps an old snapshot.
func TestStatements_ManyTasksWait_ReadTheNextFew(t *testing.T) {
	on(t, func(d *desk) {
		for i, text := range backlog {
			if i == 0 {
				text = strings.Replace(text, "?", fmt.Sprint(waitingTasks), 1)
			}
			d.fine(d.db.Write.Exec(text).Error)
		}
		d.checkReads("old statistics")
		d.fine(d.db.Write.Exec("ANALYZE").Error)
		d.checkReads("new statistics")
		d.fine(d.db.View(d.Context(), func(old ledger.Tx) error {
			var n int
			_, err := ledger.Row(d.Context(), old, "SELECT count(*) FROM rollcall.lanes", nil, &n)
			d.fine(err)
			if d.db.Pool == nil {
				return nil // in SQLite, an old snapshot does not slow other reads
			}
			d.fine(d.db.Write.Exec("DELETE FROM rollcall.feeds WHERE lane = 1 AND task_num < ?", waitingTasks/2).Error)
			d.checkReads("an old snapshot")
			return nil
		}))
	})
}

// checkReads checks that each statement reads at most ten times the rows that it returns, or a few rows.
func (d *desk) checkReads(when string) {
	d.Helper()
	for name, statement := range d.statements() {
		args := ledger.Args{
			"now": int64(1000), "most": 200, "lane": 1, "after": 0, "tenant": "acme", "nums": ",", "id": "w1", "num": 1,
		}
		maps.DeleteFunc(args, func(name string, _ any) bool { return !strings.Contains(statement, "@"+name) })
		returned := 0
		d.fine(d.db.Probe(d.Context(), func(tx ledger.Tx) error {
			return tx.Query(d.Context(), statement, args, func(ledger.Scan) error { returned++; return nil })
		}))
		read, plan := plans.RowsRead(d, d.db, statement, args), plans.Explain(d, d.db, statement, args)
		if read > 10*max(returned, 1) {
			d.Errorf("%s, %s: %d rows are read for %d that are returned:\n%s", when, name, read, returned, plan)
		}
		if strings.Contains(plan, "JIT") || strings.Contains(plan, "SCAN feeds\n") {
			d.Errorf("%s, %s:\n%s", when, name, plan)
		}
	}
}

// statements returns the statements that feeders, cancelers, sweepers and polls repeat, by name.
func (d *desk) statements() map[string]string {
	of := func(which string) string { return strings.Replace(feedsSQL, "\n{which}", "\n"+which, 1) }
	return map[string]string{
		"lanes": lanesSQL, "strays": strayFeedsSQL, "slice": sliceFeedsSQL,
		"cancels": d.text("cancels"), "slots": d.text("slots"),
		"next of a lane": of(nextOfLane), "again of a lane": of(againOfLane), "fed": of(fedPage),
		"poll": "SELECT * FROM rollcall.tasks WHERE id = @id AND tenant = @tenant",
	}
}
