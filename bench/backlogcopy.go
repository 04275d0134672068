package main

import (
	"context"
	"fmt"
	"strings"
)

// blockTasks is how many tasks share a partition of events.
const blockTasks = 1 << 16

// copies adds n copies of the newest task with its feed and its job. It uses SQL, because adding the
// tasks one by one would take minutes.
func (w *waits) copies(ctx context.Context, n int) error {
	var num int64
	if err := w.db.Pool.QueryRow(ctx, "SELECT max(num) FROM rollcall.tasks").Scan(&num); err != nil {
		return err
	}
	if err := w.place(ctx); err != nil {
		return err
	}
	for block := num / blockTasks; block <= (num+int64(n))/blockTasks; block++ {
		if _, err := w.db.Pool.Exec(ctx, "SELECT rollcall.events_room($1)", block); err != nil {
			return fmt.Errorf("backlog: room for block %d: %w", block, err)
		}
	}
	for _, c := range []struct{ table, made, from, of string }{
		{"tasks", "num, id", "num + i, gen_random_uuid()::text", "num = $1"},
		{"feeds", "task_num", "task_num + i", "task_num = $1"},
		{"events", "id, key", "((id >> 32) + i) << 32 | 1, 'key:' || i", "id >> 32 = $1"},
	} {
		columns, err := w.columns(ctx, c.table, strings.Split(c.made, ", "))
		if err != nil {
			return err
		}
		_, err = w.db.Pool.Exec(ctx, fmt.Sprintf(
			"INSERT INTO rollcall.%[1]s (%[2]s, %[3]s) SELECT %[4]s, %[3]s FROM rollcall.%[1]s, generate_series(1, $2::bigint) i WHERE %[5]s",
			c.table, c.made, columns, c.from, c.of), num, n)
		if err != nil {
			return fmt.Errorf("backlog: copies of %s: %w", c.table, err)
		}
	}
	_, err := w.db.Pool.Exec(ctx, "SELECT setval('rollcall.tasks_num_seq', (SELECT max(num) FROM rollcall.tasks))")
	if err == nil {
		_, err = w.db.Pool.Exec(ctx, "VACUUM ANALYZE rollcall.tasks, rollcall.feeds, rollcall.events")
	}
	return err
}

// place puts the tasks into the lane of their tenant and kind, as a feeder does.
func (w *waits) place(ctx context.Context) error {
	_, err := w.db.Pool.Exec(ctx, "INSERT INTO rollcall.lanes (tenant, kind) SELECT DISTINCT tenant, kind FROM rollcall.tasks")
	if err == nil {
		_, err = w.db.Pool.Exec(ctx, "UPDATE rollcall.feeds SET lane = (SELECT id FROM rollcall.lanes)")
	}
	if err != nil {
		return fmt.Errorf("backlog: lane: %w", err)
	}
	return nil
}

// columns returns the columns of a table that are copied unchanged. It leaves out the columns in the
// argument `made`, and generated ones.
func (w *waits) columns(ctx context.Context, table string, made []string) (list string, err error) {
	err = w.db.Pool.QueryRow(ctx, `SELECT string_agg(column_name, ', ' ORDER BY ordinal_position)
		FROM information_schema.columns
		WHERE table_schema = 'rollcall' AND table_name = $1 AND is_generated = 'NEVER'
		  AND column_name <> ALL ($2)`, table, made).Scan(&list)
	return list, err
}
