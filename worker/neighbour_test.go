package worker_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/enqueue"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// hostTables creates tables of a program with migrations by goose, models of gorm and queues of
// River.
const hostTables = `
	CREATE TABLE public.goose_db_version (id serial PRIMARY KEY, version_id bigint NOT NULL, is_applied boolean NOT NULL);
	INSERT INTO public.goose_db_version (version_id, is_applied) VALUES (0, true), (19, true);
	CREATE SCHEMA jobs;
	CREATE TABLE jobs.goose_db_version (id serial PRIMARY KEY, version_id bigint NOT NULL, is_applied boolean NOT NULL);
	INSERT INTO jobs.goose_db_version (version_id, is_applied) VALUES (0, true), (99, true);
	CREATE TABLE public.schema_version (version text PRIMARY KEY);
	INSERT INTO public.schema_version VALUES ('7');
	CREATE TABLE public.tasks (id serial PRIMARY KEY, title text NOT NULL, deleted_at timestamptz);
	INSERT INTO public.tasks (title) VALUES ('buy milk');
	CREATE TABLE public.events (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), day date NOT NULL DEFAULT '2026-11-24');
	INSERT INTO public.events DEFAULT VALUES;
	CREATE TABLE public.feeds (url text); CREATE TABLE public.ledger (amount numeric);
	CREATE TYPE public.river_job_state AS ENUM ('available', 'completed');
	CREATE TABLE public.river_job (id bigserial PRIMARY KEY, state public.river_job_state, args jsonb);
	INSERT INTO public.river_job (state, args) VALUES ('available', '{}');
	CREATE TABLE public.river_migration (line text, version bigint, PRIMARY KEY (line, version));
	INSERT INTO public.river_migration VALUES ('main', 6);
	CREATE TABLE public.river_leader (name text); CREATE TABLE public.river_queue (name text)`

// hostContents returns all columns and rows of the schemas of the host as one text.
const hostContents = `SELECT string_agg(table_schema || '.' || table_name ||
	query_to_xml(format('SELECT * FROM %I.%I ORDER BY 1', table_schema, table_name), true, true, '')::text ||
	(SELECT string_agg(c.column_name || ' ' || c.data_type, ',' ORDER BY c.ordinal_position) FROM information_schema.columns c
	 WHERE c.table_schema = t.table_schema AND c.table_name = t.table_name), E'\n' ORDER BY table_schema, table_name)
	FROM information_schema.tables t WHERE table_schema IN ('public', 'jobs')`

// TestNeighbour_TablesOfAHostInPublic_AreUntouched shares a database with another program: an
// import runs, a transaction of the host adds a job, and the host's tables stay unchanged.
func TestNeighbour_TablesOfAHostInPublic_AreUntouched(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{ledger.DefaultSchema, "other"} {
		t.Run(schema, func(t *testing.T) {
			t.Parallel()
			url := testenv.Postgres(t)
			host := hostOf(t, url)
			before := askText(t, host, hostContents)
			if c, err := ledger.Inspect(t.Context(), url, ledger.Options{Schema: schema}); err != nil || c.Fault != nil || c.Schema != 0 {
				t.Fatalf("before the first migration: %+v, %v", c, err)
			}
			s := newNeighbour(t, url, schema)
			s.importsRows()
			s.joins(host)
			c, err := ledger.Inspect(t.Context(), url, ledger.Options{Schema: schema})
			if err != nil || c.Fault != nil || c.Schema == 0 || c.Schema != c.Known {
				t.Errorf("migrated: %+v, %v", c, err)
			}
			if after := askText(t, host, hostContents); after != before {
				t.Errorf("the host had\n%s\nand has\n%s", before, after)
			}
		})
	}
}

// TestNeighbour_TwoSchemas_HoldSeparateTasks runs two services in one database.
func TestNeighbour_TwoSchemas_HoldSeparateTasks(t *testing.T) {
	t.Parallel()
	url := testenv.Postgres(t)
	one, other := newNeighbour(t, url, ledger.DefaultSchema), newNeighbour(t, url, "other")
	task := one.importsRows()
	if _, err := other.Tasks.Get(t.Context(), "acme", task.ID); !errors.Is(err, tasks.ErrNotFound) {
		t.Errorf("the other service has the task: %v", err)
	}
	if mine := other.importsRows(); mine.Num != task.Num {
		t.Errorf("the first task of the other service has number %d, want %d", mine.Num, task.Num)
	}
}

// TestInspect_TablesOfTheSchema_DecideTheFault checks more than the version.
func TestInspect_TablesOfTheSchema_DecideTheFault(t *testing.T) {
	t.Parallel()
	url := testenv.Postgres(t)
	newNeighbour(t, url, ledger.DefaultSchema)
	host := hostOf(t, url)
	for schema, tt := range map[string]struct {
		make string
		want error
	}{
		ledger.DefaultSchema: {"DROP TABLE rollcall.checkpoints", ledger.ErrIncomplete},
		"public":             {"DROP TABLE public.schema_version", ledger.ErrForeign}, // tasks and events stay
		"versions":           {"CREATE SCHEMA versions; CREATE TABLE versions.schema_version (current int)", ledger.ErrForeign},
	} {
		run(t, host, tt.make)
		c, err := ledger.Inspect(t.Context(), url, ledger.Options{Schema: schema})
		if err != nil || !errors.Is(c.Fault, tt.want) {
			t.Errorf("Inspect of %s: %v, %v; want %v", schema, c.Fault, err, tt.want)
		}
		if _, err := ledger.Open(t.Context(), url, ledger.Options{Schema: schema}); !errors.Is(err, tt.want) {
			t.Errorf("Open of %s: %v, want %v", schema, err, tt.want)
		}
	}
}

// hostOf creates the tables of a host, and returns a connection of it with its own search_path.
func hostOf(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) }) // the database is dropped anyway
	run(t, conn, hostTables)
	run(t, conn, "SET search_path = jobs, public")
	return conn
}

func run(t *testing.T, conn *pgx.Conn, text string) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), text); err != nil {
		t.Fatal(err)
	}
}

func askText(t *testing.T, conn *pgx.Conn, text string) (out string) {
	t.Helper()
	if err := conn.QueryRow(t.Context(), text).Scan(&out); err != nil || !strings.Contains(out, "buy milk") {
		t.Fatalf("%s, %v", out, err)
	}
	return out
}

// newNeighbour returns a shop like newShop, in the given schema of a database that others also use.
func newNeighbour(t *testing.T, url, schema string) *shop {
	t.Helper()
	s := &shop{T: t}
	s.sell = worker.Define("sell", s.take)
	s.plain = worker.Define("plain", noop[map[string]any])
	s.Service = fixture.New(t, fixture.Options{Ledger: url, Schema: schema, Kinds: fixture.Kinds(s.sell, s.plain)})
	s.client = newClient(s.DB, s.Queue, s.Kinds, enqueue.Options{})
	s.work()
	return s
}

// importsRows runs an import of a few rows.
func (s *shop) importsRows() *tasks.Task {
	s.Helper()
	rows := make([]events.Draft, 20)
	for i := range rows {
		rows[i] = events.Draft{Row: i + 2, Key: fmt.Sprint("key ", i), Params: []byte(`{"n":1}`)}
	}
	task := s.Await(s.T, s.Add(s.T, "plain", rows...))
	if task.Status != tasks.Finished || task.Counts.Finish != int64(len(rows)) {
		s.Errorf("the import is %s: %+v", task.Status, task.Counts)
	}
	return task
}

// joins adds a job in a transaction of a host.
func (s *shop) joins(host *pgx.Conn) {
	s.Helper()
	var ref worker.Ref
	s.fine(pgx.BeginFunc(s.Context(), host, func(tx pgx.Tx) (err error) {
		ref, err = s.sell.EnqueueTx(s.Context(), s.client, tx, anvil("a1"))
		return err
	}))
	s.fine(s.client.Wake(s.Context()))
	if st := s.await(ref.TaskID); st != tasks.Finished {
		s.Errorf("the job of the host is %s", st)
	}
}
