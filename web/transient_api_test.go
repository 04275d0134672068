package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestLedgerFault_OfPostgresItself_Is503: the cause decides, although the ledger works again when
// the response is written.
func TestLedgerFault_OfPostgresItself_Is503(t *testing.T) {
	t.Parallel()
	url := ledgers.Postgres(t)
	l := newLabOn(t, url)
	id := l.accepted("a.csv", rows(2), "")
	l.split()
	body := `{"kind":"products.import","rows":[{"SKU":"A","Name":"a","Price":1,"Brand":"Acme"}]}`
	for name, ask := range map[string]func() reply{
		"GET":  func() reply { return l.look("/api/v1/tasks/" + id + "/events") },
		"POST": func() reply { return l.again("key", "/tasks", "application/json", body) },
	} {
		for function, state := range map[string]string{"pg_terminate_backend": "57P01", "pg_cancel_backend": "57014"} {
			var r reply
			ledgers.Strike(t, url, "tasks", function, func(done func()) { r = ask(); done() })
			if !strings.Contains(l.log.String(), state) {
				t.Errorf("%s: the log does not name the cause %s: %s", name, state, l.log)
			}
			r.refuses(503, "UNAVAILABLE", "Try again")
			r.has("Retry-After", "5")
			r.tellsNothing()
		}
		if r := ask(); r.status >= 300 {
			t.Errorf("%s, asked again: %d %s", name, r.status, r.body)
		}
	}
	if list, _ := l.look("/api/v1/tasks").items(); len(list) != 2 {
		t.Errorf("%d tasks, want 2: that of the POST is made once", len(list))
	}
}

// TestLedgerFault_ThatStays_Is503UntilItPasses: Postgres breaks off each attempt, also the retries
// of the ledger.
func TestLedgerFault_ThatStays_Is503UntilItPasses(t *testing.T) {
	t.Parallel()
	l := newLabOn(t, ledgers.Postgres(t))
	body := `{"kind":"products.import","rows":[{"SKU":"A","Name":"a","Price":1,"Brand":"Acme"}]}`
	for _, state := range []string{"40001", "40P01", "53300", "57014", "57P03"} {
		l.exec("create function fault() returns trigger language plpgsql as $$begin raise exception using errcode = '" + state + "'; end$$")
		l.exec("create trigger fault before insert on rollcall.tasks execute function fault()")
		r := l.again(state, "/tasks", "application/json", body)
		r.refuses(503, "UNAVAILABLE")
		r.has("Retry-After", "5")
		l.exec("drop function fault cascade")
		l.again(state, "/tasks", "application/json", body).is(http.StatusAccepted)
	}
}

// TestLedgerFault_OfOurs_Is500: a wrong statement is no temporary error.
func TestLedgerFault_OfOurs_Is500(t *testing.T) {
	ledgers.ByTier(t, func(t *testing.T, url string) {
		l := newLabOn(t, url)
		l.exec("alter table rollcall.tasks rename to gone")
		r := l.look("/api/v1/tasks")
		r.refuses(500, "INTERNAL")
		r.has("Retry-After", "")
		r.tellsNothing()
	})
}

// TestLedgerFault_SQLiteIsBusy_Is503: another process writes for longer than the
// service waits.
func TestLedgerFault_SQLiteIsBusy_Is503(t *testing.T) {
	t.Parallel()
	path := ledgers.SQLite(t)
	l := newLabOn(t, path)
	l.exec("pragma busy_timeout = 1")
	other, err := ledger.Open(t.Context(), path, ledger.Options{})
	fine(t, err)
	t.Cleanup(func() { _ = other.Close() })
	fine(t, other.InTx(t.Context(), func(ledger.Tx) error {
		r := l.upload("b.csv", rows(2), "")
		r.refuses(503, "UNAVAILABLE")
		r.has("Retry-After", "5")
		r.tellsNothing()
		return nil
	}))
	l.accepted("b.csv", rows(2), "")
}

// exec runs a statement on the ledger.
func (l *lab) exec(text string) {
	l.t.Helper()
	fine(l.t, l.db.Write.Exec(text).Error)
}
