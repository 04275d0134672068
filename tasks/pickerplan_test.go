package tasks_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/plans"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestWaiting_ManyFilesUnread_ReadsTheFirst has 2,000 tasks, or 100,000 in `make test-all`, of ten
// tenants and two kinds. Of these tasks, 20 are next.
func TestWaiting_ManyFilesUnread_ReadsTheFirst(t *testing.T) {
	on(t, func(d *desk) {
		n := 2000
		if testenv.All {
			n = 100_000
		}
		d.fine(d.db.Write.Exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
			INSERT INTO rollcall.tasks (id, tenant, kind, type, status, file_id, created_at)
			SELECT cast(i AS text), 't' || (i % 10), 'k' || (i % 20 / 10), 'import', 'open', cast(i AS text), i FROM n`, n).Error)
		args := ledger.Args{"stage": int(tasks.Reading), "now": int64(1000)}
		returned := 0
		d.fine(d.db.Reader().Query(d.Context(), tasks.WaitingSQL, args, func(scan ledger.Scan) error {
			returned++
			return nil
		}))
		d.same(20, returned)
		d.indexed(tasks.WaitingSQL, args, "tasks_work_idx")
		if read := plans.RowsRead(d, d.db, tasks.WaitingSQL, args); read > 10*returned {
			d.Errorf("%d rows are read for %d that are returned", read, returned)
		}
	})
}

// wholeTable matches plans that read or sort all rows of a table. A scan of an index ends at
// its first entry here.
var wholeTable = regexp.MustCompile(`Seq Scan|Sort Key|SCAN (t|tasks)\n|TEMP B-TREE`)

// indexed fails the test unless a statement reads the tables through an index of this name, or by
// number.
func (d *desk) indexed(text string, args ledger.Args, index string) {
	d.Helper()
	if plan := plans.Explain(d, d.db, text, args); !strings.Contains(plan, index) || wholeTable.MatchString(plan) {
		d.Errorf("a table is read without %s:\n%s", index, plan)
	}
}
