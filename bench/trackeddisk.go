package main

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// benchTrackedDisk measures what Postgres stores for a finished job of ten columns. It returns the bytes
// of the table with its indexes, and the versions of the row.
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
	// The statistics include the partitions of the table.
	const ask = `SELECT coalesce(sum(pg_total_relation_size(relid)), 0), coalesce(sum(n_tup_ins + n_tup_upd), 0)
		FROM pg_stat_user_tables WHERE relname LIKE 'events%'`
	for end := time.Now().Add(waitAtMost); time.Now().Before(end) && writes < trackedJobs; {
		time.Sleep(2 * settleTime) // statistics are updated with a delay
		if err := s.db.Pool.QueryRow(ctx, ask).Scan(&size, &writes); err != nil {
			return 0, 0, err
		}
	}
	return size, writes, nil
}
