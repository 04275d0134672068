package main

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// benchTrackedDisk measures what a finished job of ten columns costs Postgres:
// bytes of the table and its indexes, and versions of its row.
func benchTrackedDisk(ctx context.Context, l *lab, runs int) ([]figure, error) {
	var bytes, versions []float64
	for range runs {
		size, writes, err := l.disk(ctx)
		if err != nil {
			return nil, err
		}
		bytes, versions = append(bytes, size/trackedJobs), append(versions, writes/trackedJobs)
	}
	return []figure{
		figureOf("tracked-disk, 10 columns, index included", "B/job", bytes),
		figureOf("tracked-disk, row versions", "per job", versions),
	}, nil
}

func (l *lab) disk(ctx context.Context) (size, writes float64, err error) {
	defer l.leave(len(l.cleanup))
	s, err := l.service(ctx, testenv.Postgres(l), l.store())
	if err != nil {
		return 0, 0, err
	}
	task, err := s.add(ctx, trackedJobs, wideRow)
	if err == nil {
		err = s.done(ctx, task)
	}
	if err == nil {
		err = s.check(ctx, task, trackedJobs)
	}
	if err != nil {
		return 0, 0, err
	}
	// Partitions, if there are any, are counted with the table they are of.
	const ask = `SELECT coalesce(sum(pg_total_relation_size(relid)), 0), coalesce(sum(n_tup_ins + n_tup_upd), 0)
		FROM pg_stat_user_tables WHERE relname LIKE 'events%'`
	for end := time.Now().Add(waitAtMost); time.Now().Before(end) && writes < trackedJobs; {
		time.Sleep(2 * settleTime) // the counts come late
		if err := s.db.Pool.QueryRow(ctx, ask).Scan(&size, &writes); err != nil {
			return 0, 0, err
		}
	}
	return size, writes, nil
}
