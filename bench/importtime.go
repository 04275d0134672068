package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// spent returns the processor time so far of the processes of a site and of its servers, by name. On a
// busy machine, it varies less than the duration of an import.
func (s *site) spent(ctx context.Context) (map[string]time.Duration, error) {
	out := map[string]time.Duration{}
	for name, p := range s.procs {
		t, err := cpuTime(p.PID())
		if err != nil {
			return nil, err
		}
		out[name] = t
	}
	rdb := &store{s.redis, dial(s.redis)}
	defer rdb.rdb.Close()
	pid, err := rdb.info(ctx, "server", "process_id")
	if err != nil {
		return nil, err
	}
	if out["redis"], err = cpuTime(int(pid)); err != nil {
		return nil, err
	}
	out["postgres"], err = backendsTime(ctx, s.ledger)
	return out, err
}

// backendsTime returns the processor time so far of the Postgres server at url.
func backendsTime(ctx context.Context, url string) (time.Duration, error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return 0, err
	}
	defer conn.Close(ctx)
	var pid int
	if err := conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&pid); err != nil {
		return 0, err
	}
	return familyTime(pid)
}

// timeFigures returns the processor time that each process of an import used.
func timeFigures(before, after map[string]time.Duration) (out []figure) {
	for _, name := range []string{"api", "worker", "redis", "postgres"} {
		per := (after[name] - before[name]).Seconds()
		out = append(out, figureOf(fmt.Sprintf("import 500,000 rows, real: processor time of %s", name), "s", []float64{per}))
	}
	return out
}
