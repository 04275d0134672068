package notify_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/internal/testenv/plans"
)

// numbers counts from 1 to the argument.
const numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "

// backlog adds notifications and deliveries of ten tenants.
var backlog = []string{
	numbers + `INSERT INTO rollcall.outbox (task_num, tenant, kind, topic, round, created_at, status, outcome,
		total, enqueue, working, finish, failed, error, canceled, retrying, skipped, started_at, finished_at)
		SELECT (SELECT min(num) FROM rollcall.tasks), 't' || (i % 10), 'k', 'task.finished', i, 1, '', '', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM n`,
	numbers + `INSERT INTO rollcall.deliveries (id, notice, tenant, channel, endpoint, next_at, created_at)
		SELECT 'd' || i, (SELECT min(id) FROM rollcall.outbox), 't' || (i % 10), 'webhook', 'w', i, i FROM n`,
}

// wholeTable matches plans that read or sort all rows of a table.
var wholeTable = regexp.MustCompile(`Seq Scan|Sort Key|SCAN (d|o|outbox|deliveries)\n|TEMP B-TREE`)

func TestStore_LargeBacklog_ReadsFirstRowsOfEachTenant(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		n := 2000
		if testenv.All {
			n = 100_000
		}
		s := fixture.New(t, fixture.Options{Ledger: url})
		execute(t, s.DB, "INSERT INTO rollcall.tasks (id, tenant, kind, type, status, created_at) VALUES ('a', 'a', 'k', 'import', 'running', 1)")
		for _, text := range backlog {
			execute(t, s.DB, text, n)
		}
		readsFew(t, s.DB, "deliveries_next_idx", 40, notify.DueSQL, ledger.Args{"now": int64(1 << 40), "most": 4})
		readsFew(t, s.DB, "outbox_next_idx", 10, notify.SourcesSQL, ledger.Args{})
	})
}

// readsFew fails the test unless a statement returns the given number of rows and reads few more.
func readsFew(t *testing.T, db *ledger.DB, index string, want int, text string, args ledger.Args) {
	t.Helper()
	returned := 0
	if err := db.Reader().Query(t.Context(), text, args, func(ledger.Scan) error { returned++; return nil }); err != nil {
		t.Fatal(err)
	}
	if returned != want {
		t.Errorf("%s: %d rows, want %d", index, returned, want)
	}
	if plan := plans.Explain(t, db, text, args); !strings.Contains(plan, index) || wholeTable.MatchString(plan) {
		t.Errorf("a table is read without %s:\n%s", index, plan)
	}
	if read := plans.RowsRead(t, db, text, args); read > 10*returned {
		t.Errorf("%s: %d rows are read for %d that are returned", index, read, returned)
	}
}

func execute(t *testing.T, db *ledger.DB, text string, args ...any) {
	t.Helper()
	if err := db.Write.Exec(text, args...).Error; err != nil {
		t.Fatal(err)
	}
}
