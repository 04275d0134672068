package testenv_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// connect opens a connection until the end of the test.
func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url+"&connect_timeout=30")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

func query(t *testing.T, conn *pgx.Conn, sql string, args ...any) string {
	t.Helper()
	var got string
	if err := conn.QueryRow(t.Context(), sql, args...).Scan(&got); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return got
}

func mustExec(t *testing.T, conn *pgx.Conn, sql string) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

func TestSharedPostgres(t *testing.T) {
	t.Parallel()
	admin := connect(t, testenv.Postgres(t))
	if got := query(t, admin, "show fsync"); got != "on" {
		t.Errorf("fsync is %s, want on", got)
	}
	mustExec(t, admin, "create table a (n int)")

	var inner string
	t.Run("another database of the same server is empty", func(t *testing.T) {
		conn := connect(t, testenv.Postgres(t))
		inner = query(t, conn, "select current_database()")
		if got := query(t, conn, "select coalesce(to_regclass('a')::text, 'none')"); got != "none" {
			t.Error("it holds the other test's table")
		}
	})
	const count = "select count(*)::text from pg_database where datname = $1"
	if got := query(t, admin, count, inner); got != "0" {
		t.Error("it is still there after its test")
	}
}

func TestStartPostgres(t *testing.T) {
	t.Parallel()
	s := testenv.StartPostgres(t)
	conn, other := connect(t, s.URL()), connect(t, s.URL())
	mustExec(t, conn, "create table a as select 'kept' as word")

	s.Pause()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if err := other.Ping(ctx); err == nil {
		t.Error("a paused server answers")
	}
	s.Resume()
	s.Kill()
	if _, err := conn.Exec(t.Context(), "select 1"); err == nil {
		t.Error("a backend of a killed server answers")
	}
	s.Start()
	s.Restart()
	if got := query(t, connect(t, s.URL()), "select word from a"); got != "kept" {
		t.Errorf("after a kill and a restart: %q", got)
	}
}
