package tasks_test

import (
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/tasks"
)

// numbers counts from 1 to the argument.
const numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "

// TestOutbox_ManyWait_ReadsTheFirst: of 100,000 notices and deliveries of ten tenants.
func TestOutbox_ManyWait_ReadsTheFirst(t *testing.T) {
	on(t, func(d *desk) {
		n := 2000
		if testenv.All {
			n = 100_000
		}
		d.fine(d.db.Write.Exec("INSERT INTO tasks (id, tenant, kind, type, status, created_at) VALUES ('a', 'a', 'k', 'import', 'running', 1)").Error)
		d.fine(d.db.Write.Exec(numbers+`INSERT INTO outbox (task_num, tenant, kind, topic, round, created_at, status, outcome,
			total, enqueue, working, finish, failed, error, canceled, retrying, skipped, started_at, finished_at)
			SELECT (SELECT min(num) FROM tasks), 't' || (i % 10), 'k', 'task.finished', i, 1, '', '', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM n`, n).Error)
		d.fine(d.db.Write.Exec(numbers+`INSERT INTO deliveries (id, notice, tenant, lane, endpoint, next_at, created_at)
			SELECT 'd' || i, (SELECT min(id) FROM outbox), 't' || (i % 10), 'webhook', 'w', i, i FROM n`, n).Error)
		for text, want := range map[string]int{tasks.DueSQL: 40, tasks.NoticesSQL: 10} {
			args := ledger.Args{}
			if text == tasks.DueSQL {
				args = ledger.Args{"now": int64(1 << 40), "most": 4}
			}
			returned := 0
			d.fine(d.db.Reader().Query(d.Context(), text, args, func(ledger.Scan) error { returned++; return nil }))
			d.same(want, returned)
			index := map[string]string{tasks.DueSQL: "deliveries_next_idx", tasks.NoticesSQL: "outbox_next_idx"}[text]
			d.indexed(text, args, index)
			if read := d.rowsRead(text, args); read > 10*returned {
				d.Errorf("%s: %d rows are read for %d that are returned", index, read, returned)
			}
		}
	})
}
