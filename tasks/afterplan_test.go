package tasks_test

import (
	"regexp"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/plans"
	"github.com/rollcall-dev/rollcall/tasks"
)

// wholeOf matches plans that read all rows of tables that grow.
var wholeOf = regexp.MustCompile(`Seq Scan on (tasks|task_after)|SCAN (tasks|task_after)\b`)

// TestTree_ManyTasks_ReadsItsOwn: 3 of 5,000 tasks belong to the tree.
func TestTree_ManyTasks_ReadsItsOwn(t *testing.T) {
	on(t, func(d *desk) {
		parent := d.open(nil)
		child := d.open(parent)
		next := d.follows(false, parent)
		d.fine(d.db.Write.Exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
			INSERT INTO rollcall.tasks (id, tenant, kind, type, status, parent, created_at)
			SELECT cast(i AS text), 'acme', 'k', 'batch', 'open', 1000000 + i, i FROM n`).Error)
		d.fine(d.db.Write.Exec(`INSERT INTO rollcall.task_after (task_num, after_num, met)
			SELECT num, num + 1000000, FALSE FROM rollcall.tasks WHERE parent > 1000000`).Error)
		if d.db.Pool != nil {
			d.fine(d.db.Write.Exec("ANALYZE").Error)
		}
		for name, c := range map[string]struct {
			text string
			args ledger.Args
		}{
			"tree":    {tasks.TreeSQL, ledger.Args{"nums": []int64{next.Num, parent.Num}, "most": 10}},
			"waiting": {tasks.WaitingForSQL, ledger.Args{"nums": []int64{child.Num, parent.Num}, "most": 10}},
		} {
			if plan := plans.Explain(d, d.db, c.text, c.args); wholeOf.MatchString(plan) {
				d.Errorf("%s: a table is read as a whole:\n%s", name, plan)
			}
			if read := plans.RowsRead(d, d.db, c.text, c.args); read > 50 {
				d.Errorf("%s: %d rows are read", name, read)
			}
		}
	})
}
