package web_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/web"
	"github.com/rollcall-dev/rollcall/worker"
)

// muchOf fills tables with 8,000 rows each, made from the task with the ID $1: copies of the task, acts on
// these copies, and bad rows and deliveries of the task. The copies are done and have no files.
var muchOf = []string{
	`UPDATE rollcall.tasks SET total = 5000, failed = 5000, enqueue = 0, status = 'finished_with_failures', total_is_final = true,
	     finished_at = 1, file_purged_at = 1
	 WHERE id = $1`,
	`INSERT INTO rollcall.tasks SELECT (jsonb_populate_record(t, jsonb_build_object('num', 1000 + i, 'id', gen_random_uuid(), 'dedup_key', NULL,
	   'created_at', t.created_at - (5000 - i) * 60000))).*
	 FROM rollcall.tasks t, generate_series(1, 8000) i WHERE t.id = $1`,
	`DELETE FROM rollcall.events WHERE id >> 32 = (SELECT num FROM rollcall.tasks WHERE id = $1)`,
	`INSERT INTO rollcall.events (id, row, key, status, attempt, params, code, col, message, finished_at)
	 SELECT (t.num << 32) + i, i + 1, 'k' || i, 'failed', 1, '{"No":"x"}', 'C' || i % 7, 'No', 'no', 1
	 FROM rollcall.tasks t, generate_series(1, 8000) i WHERE t.id = $1`,
	`INSERT INTO rollcall.error_groups (task_num, status, code, col, count, first_row)
	 SELECT num, 'failed', 'C1', 'No', 5000, 2 FROM rollcall.tasks`,
	`INSERT INTO rollcall.audit_log (subject, at, actor, act, seq, touched) SELECT 'task:' || num, 1, tenant, 'patch', 1, 1 FROM rollcall.tasks`,
	`INSERT INTO rollcall.audit_log (subject, at, actor, act, target)
	 SELECT CASE i % 2 WHEN 0 THEN 'ops:acme' ELSE 'ops:globex' END, 1, 'x', 'requeue', 'q' FROM generate_series(1, 8000) i`,
	`INSERT INTO rollcall.webhooks (id, tenant, url, topics, secret, created_at) VALUES ('w', 'acme', 'https://a.example', '', 's', 1)`,
	`INSERT INTO rollcall.outbox (id, task_num, tenant, kind, topic, round, batch, created_at, status, outcome, total, enqueue, working,
	                     finish, failed, error, canceled, retrying, skipped, started_at, finished_at)
	 SELECT 1000 + i, t.num, tenant, kind, 't', i, 1, 1, status, '', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
	 FROM rollcall.tasks t, generate_series(1, 8000) i WHERE t.id = $1`,
	`INSERT INTO rollcall.deliveries (id, notice, webhook, tenant, channel, endpoint, state, next_at, created_at)
	 SELECT 'd' || id, id, 'w', tenant, 'webhook', 'https://a.example', 'dead', 1, 1 FROM rollcall.outbox WHERE $1 <> ''`,
}

// TestNoPageReadsEverything: pages read a part of large tables, through an index. Postgres counts
// the rows that were read.
func TestNoPageReadsEverything(t *testing.T) {
	t.Parallel()
	url := ledgers.Postgres(t)
	d := newDepotOn(t, url, func(o *web.Options) {
		idle := func(context.Context, *worker.Job[patient]) error { return nil }
		o.Kinds = jobs.RegistryOf(worker.NewRegistry(worker.Define(patients, idle)))
	})
	_, secret := d.member("acme", access.Admin)
	pages := d.acme.as(secret)

	c := watcher(t, url)
	for _, text := range muchOf {
		var args []any
		if strings.Contains(text, "$1") {
			args = append(args, d.task)
		}
		if _, err := c.Exec(t.Context(), text, args...); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"ANALYZE", "SELECT pg_stat_force_next_flush()", "SELECT pg_stat_reset()"} {
		_, err := c.Exec(t.Context(), text)
		fine(t, err)
	}

	task, queue := "/tasks/"+d.task, "/ops/queues/"+patients
	for _, path := range []string{
		"/", "/exports", task, task + "/repair", task + "/repair?cause=C1%7CNo", task + "/repair?q=x",
		task + "/repair?resolution=open", task + "/rows/4900", "/ops", queue, queue + "/waiting",
		queue + "/busy", queue + "/morgue", queue + "/keys", "/ops/tasks", "/ops/tasks?q=a",
		"/ops/tasks?status=finished_with_failures", "/ops/tasks?by=x&from=2026-03-03", "/ops/tasks?label=a%3Ab", "/ops/rows",
		"/ops/rows?q=k77", "/ops/errors",
		"/ops/rows/" + d.task + ".4900", "/ops/webhooks", "/ops/webhooks/w", "/ops/limits", "/ops/access", "/ops/audit",
	} {
		pages.page(path)
	}
	for _, path := range []string{"/ops", queue, "/ops/nodes"} {
		d.home.page(path)
	}
	fine(t, d.db.Close())
	for what, read := range readOf(t, c) {
		if read > 7200 { // of 8,000; several pages read the newest 1,000 tasks
			t.Errorf("of %s %d rows were read", what, read)
		}
	}
}

// watcher returns a connection beside the service.
func watcher(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(t.Context(), url)
	fine(t, err)
	t.Cleanup(func() { _ = c.Close(context.Background()) }) // it has only read
	return c
}

// readOf waits until all other connections have ended and reported. Then it returns how many rows were read from
// each table without an index, and through each index.
func readOf(t *testing.T, c *pgx.Conn) map[string]int64 {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for others := 1; others > 0; <-tick.C {
		fine(t, c.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`).Scan(&others))
	}
	rows, err := c.Query(t.Context(), `SELECT relname, seq_tup_read FROM pg_stat_user_tables
		UNION ALL SELECT indexrelname, idx_tup_read FROM pg_stat_user_indexes`)
	fine(t, err)
	out := map[string]int64{}
	var what string
	var read int64
	_, err = pgx.ForEachRow(rows, []any{&what, &read}, func() error { out[what] = read; return nil })
	fine(t, err)
	return out
}
