package ledger_test

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/url"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// server is a ledger on Postgres, and another connection to its database that causes faults.
type server struct {
	t     *testing.T
	db    *ledger.DB
	admin *pgx.Conn
}

func newServer(t *testing.T, url string) server {
	t.Helper()
	db, err := ledger.Open(t.Context(), url, ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() }) // some tests close it before
	admin, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = admin.Close(context.Background()) })
	return server{t, db, admin}
}

// do runs statements as the administrator.
func (s server) do(statements ...string) {
	s.t.Helper()
	for _, text := range statements {
		if _, err := s.admin.Exec(s.t.Context(), text); err != nil {
			s.t.Fatal(text, err)
		}
	}
}

// run runs statements in one transaction of the ledger and returns the first error.
func (s server) run(statements ...string) error {
	return s.db.View(s.t.Context(), func(tx ledger.Tx) error {
		for _, text := range statements {
			if _, err := tx.Exec(s.t.Context(), text, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// onBlocked is the end of a query that runs for each backend that waits for a lock or sleeps.
const onBlocked = " from pg_stat_activity where datname = current_database()" +
	" and (wait_event_type = 'Lock' or wait_event = 'PgSleep')"

// blocked calls the function `then` while the function `run` waits for a lock on the ledger. It returns
// the error of `run`.
func (s server) blocked(run func() error, then func()) error {
	s.t.Helper()
	s.do("begin", "lock table rollcall.ledger in access exclusive mode")
	defer s.do("rollback")
	failed := make(chan error, 1)
	go func() { failed <- run() }()
	for n := 0; n == 0; {
		select {
		case err := <-failed:
			s.t.Fatalf("it did not wait for the lock: %v", err)
		default:
		}
		s.do("select pg_stat_clear_snapshot()") // the old snapshot lacks newer connections
		if err := s.admin.QueryRow(s.t.Context(), "select count(*)"+onBlocked).Scan(&n); err != nil {
			s.t.Fatal(err)
		}
	}
	then()
	return <-failed
}

// write changes the ledger.
func (s server) write() error { return s.run("update rollcall.ledger set value = value") }

func (s server) requireTransient(err error, state string) {
	s.t.Helper()
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code != state || pg == nil && state != "" || !ledger.Transient(err) {
		s.t.Errorf("error %v is no transient %s", err, state)
	}
}

func TestTransient_FaultsOfPostgresItself_AreTransient(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct {
		state string
		story func(server) error
	}{
		"terminated while it runs": {"57P01", func(s server) error {
			return s.blocked(s.write, func() { s.do("select pg_terminate_backend(pid)" + onBlocked) })
		}},
		"canceled by an operator": {"57014", func(s server) error {
			return s.blocked(s.write, func() { s.do("select pg_cancel_backend(pid)" + onBlocked) })
		}},
		"statement_timeout": {"57014", func(s server) error {
			return s.run("set local statement_timeout = 1", "select pg_sleep(60)")
		}},
		"lock_timeout": {"55P03", func(s server) error {
			s.do("begin", "lock table rollcall.ledger in access exclusive mode")
			defer s.do("rollback")
			return s.run("set local lock_timeout = 1", "update rollcall.ledger set value = value")
		}},
		"read only, as on a standby": {"25006", func(s server) error {
			return s.run("set transaction read only", "update rollcall.ledger set value = value")
		}},
		"serialization failure": {"40001", serializationFailure},
		"deadlock":              {"40P01", deadlock},
		"no connection left":    {"53300", noConnectionLeft},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, ledgers.Postgres(t))
			s.requireTransient(one.story(s), one.state)
		})
	}
}

func serializationFailure(s server) error {
	return s.db.View(s.t.Context(), func(tx ledger.Tx) error {
		for _, text := range []string{"set transaction isolation level repeatable read", "select value from rollcall.ledger"} {
			if _, err := tx.Exec(s.t.Context(), text, nil); err != nil {
				return err
			}
		}
		s.do("update rollcall.ledger set value = value")
		_, err := tx.Exec(s.t.Context(), "update rollcall.ledger set value = value", nil)
		return err
	})
}

func deadlock(s server) error {
	s.do("set deadlock_timeout = '1h'", "begin", "select pg_advisory_xact_lock(1)")
	done := make(chan error, 1)
	defer func() {
		if err := <-done; err != nil {
			s.t.Error(err)
		}
	}()
	return s.db.View(s.t.Context(), func(tx ledger.Tx) error {
		if _, err := tx.Exec(s.t.Context(), "select pg_advisory_xact_lock(2)", nil); err != nil {
			return err
		}
		go func() {
			_, err := s.admin.Exec(s.t.Context(), "select pg_advisory_xact_lock(2)")
			done <- err
		}()
		for waits := false; !waits; { // Postgres checks a wait for a deadlock only once, so the other wait must begin first
			_, err := ledger.Row(s.t.Context(), tx, `select count(*) > 0 from pg_locks where not granted
				and database = (select oid from pg_database where datname = current_database())`, nil, &waits)
			if err != nil {
				return err
			}
		}
		for _, text := range []string{"set local deadlock_timeout = '10ms'", "select pg_advisory_xact_lock(1)"} {
			if _, err := tx.Exec(s.t.Context(), text, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// noConnectionLeft sets the connection limit of a role to 0, ends the connections of the role, and
// returns the error of a new connection.
func noConnectionLeft(s server) error {
	role := "few_" + strings.ToLower(rand.Text())
	s.do("create role "+role+" login", "grant pg_read_all_data, pg_write_all_data to "+role)
	s.t.Cleanup(func() { _, _ = s.admin.Exec(context.Background(), "drop role "+role) })
	u, err := url.Parse(s.admin.Config().ConnString())
	if err != nil {
		s.t.Fatal(err)
	}
	u.User = url.User(role)
	few := newServer(s.t, u.String())
	_ = few.admin.Close(s.t.Context())
	s.do("alter role "+role+" connection limit 0", "select pg_terminate_backend(pid) from pg_stat_activity where usename = '"+role+"'")
	for { // the pool may first return errors of its ended connections
		if err := few.db.Ping(s.t.Context()); !ledger.Transient(err) || strings.Contains(err.Error(), "53300") {
			return err
		}
	}
}

func TestTransient_Closed_IsTransient(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		db, err := ledger.Open(t.Context(), url, ledger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		in := db.InTx(t.Context(), func(ledger.Tx) error { return nil })
		for _, err := range []error{in, db.Ping(t.Context())} {
			if !ledger.Transient(err) {
				t.Errorf("%v is not transient", err)
			}
		}
	})
}

func TestTransient_SQLiteBusyOrFull_IsTransient(t *testing.T) {
	t.Parallel()
	path := ledgers.SQLite(t)
	var dbs [2]*ledger.DB
	for i := range dbs {
		db, err := ledger.Open(t.Context(), path, ledger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		dbs[i] = db
	}
	const grow = "create table t as select randomblob(1000000) as b"
	err := dbs[0].InTx(t.Context(), func(ledger.Tx) error {
		if err := dbs[1].Write.Exec("pragma busy_timeout = 0").Error; err != nil {
			return err
		}
		return dbs[1].Write.Exec(grow).Error
	})
	if !ledger.Transient(err) || !strings.Contains(err.Error(), "locked") {
		t.Errorf("a write beside another: %v", err)
	}
	if err := dbs[1].Write.Exec("pragma max_page_count = 1").Error; err != nil {
		t.Fatal(err)
	}
	if err := dbs[1].Write.Exec(grow).Error; !ledger.Transient(err) || !strings.Contains(err.Error(), "full") {
		t.Errorf("a write to a full disk: %v", err)
	}
}

func TestTransient_FaultsOfTheRequest_AreNot(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		db, err := ledger.Open(t.Context(), url, ledger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		for _, text := range []string{
			"select nothing", "insert into rollcall.ledger (name, value) values ('epoch', 1)", "select * from no_table",
			"insert into rollcall.ledger (name, value) values ('x', null)",
		} {
			if err := db.Write.Exec(text).Error; err == nil || ledger.Transient(err) {
				t.Errorf("%s: %v is transient", text, err)
			}
		}
	})
	for _, err := range []error{
		nil, errors.New("any"), io.ErrUnexpectedEOF, syscall.ECONNRESET, context.Canceled,
		&pgconn.PgError{Code: "40002"}, &pgconn.PgError{Code: "XX000"}, &pgconn.PgError{Code: "53"},
	} {
		if ledger.Transient(err) {
			t.Errorf("%v is transient", err)
		}
	}
}
