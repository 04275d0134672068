package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/retention"
)

var (
	//go:embed sql/grow_tasks.sql
	growTasksSQL string
	//go:embed sql/grow_rows.sql
	growRowsSQL string
	//go:embed sql/grow_ends.sql
	growEndsSQL string
	//go:embed sql/grow_sizes.sql
	growSizesSQL string
)

// growthBlock is the first block of copied tasks. The partition before it holds the blocks 0 and 1.
const growthBlock = 2

// fill adds the imports of 90 days.
func (g *growth) fill(ctx context.Context) error {
	made := []string{"num", "id", "created_at", "started_at", "moved_at", "finished_at", "expires_at", "file_id", "dedup_key"}
	columns, err := g.columns(ctx, "tasks", made)
	if err != nil {
		return err
	}
	tasks := strings.ReplaceAll(growTasksSQL, "{columns}", columns)
	begun := time.Now()
	before, err := walOf(ctx, g.db.Pool)
	if err != nil {
		return err
	}
	for day := range growthDays {
		if err := g.day(ctx, day, tasks); err != nil {
			return fmt.Errorf("growth: day %d: %w", day, err)
		}
	}
	g.add("rows in the ledger", "10^6", float64(g.rows*growthDaily*growthDays)/1e6)
	g.add("time to add and end them by SQL", "s", time.Since(begun).Seconds())
	after, err := walOf(ctx, g.db.Pool)
	if err != nil {
		return err
	}
	g.add("log written for a row", "B", (after-before)/float64(g.rows*growthDaily*growthDays))
	if err := g.db.Pool.QueryRow(ctx, "SELECT id FROM rollcall.tasks WHERE num = $1", growthBlock*blockTasks).Scan(&g.old); err != nil {
		return err
	}
	_, err = g.db.Pool.Exec(ctx, "SELECT setval('rollcall.tasks_num_seq', $1)", (growthBlock+growthDays)*blockTasks)
	return err
}

// day adds the imports of one day to their own partition. Day 0 is the oldest.
func (g *growth) day(ctx context.Context, day int, tasks string) error {
	num := (growthBlock + day) * blockTasks
	ago := time.Duration(growthDays-day) * 24 * time.Hour
	for _, s := range []struct {
		text string
		args []any
	}{
		{"SELECT rollcall.events_room($1)", []any{growthBlock + day}},
		{tasks, []any{g.task, growthDaily, num, ago.Milliseconds() - time.Hour.Milliseconds()}},
		{growRowsSQL, []any{g.task, growthDaily, num}},
		{growEndsSQL, []any{growthDaily, num, ago.Milliseconds()}},
	} {
		if _, err := g.db.Pool.Exec(ctx, s.text, s.args...); err != nil {
			return err
		}
	}
	if g.progress(day) {
		fmt.Fprintf(os.Stderr, "growth: day %d of %d\n", day+1, growthDays)
	}
	return nil
}

// progress reports whether the bench prints a line after a day.
func (g *growth) progress(day int) bool { return day%10 == 9 }

// vacuumed waits until the autovacuum of Postgres has vacuumed each partition, for vacuumAtMost at most.
func (g *growth) vacuumed(ctx context.Context) error {
	for begun := time.Now(); ; time.Sleep(5 * time.Second) {
		s, err := g.size(ctx)
		if err != nil {
			return err
		}
		if s.vacuumed >= growthDays || time.Since(begun) > vacuumAtMost {
			g.add("partitions vacuumed by Postgres itself", "", s.vacuumed)
			g.add("time until then", "s", time.Since(begun).Seconds())
			return nil
		}
	}
}

// expire makes all imports expired, and runs the retention of the service once.
func (g *growth) expire(ctx context.Context) error {
	_, err := g.db.Pool.Exec(ctx, "UPDATE rollcall.tasks SET expires_at = 1 WHERE num >= $1 AND num < $2",
		growthBlock*blockTasks, (growthBlock+growthDays)*blockTasks)
	if err == nil { // this process runs retention now, so the role must not belong to the worker
		_, err = g.db.Pool.Exec(ctx, "UPDATE rollcall.ledger SET value = 0 WHERE name = 'retention'")
	}
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "rollcall-bench-files-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	files, err := blobs.Open(dir)
	if err != nil {
		return err
	}
	begun := time.Now()
	err = retention.New(g.tasks, g.events, files, retention.Options{}).Clean(ctx)
	g.add("retention of all of them", "s", time.Since(begun).Seconds())
	return err
}
