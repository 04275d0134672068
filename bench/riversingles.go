package main

import (
	"context"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// riverSingles measures River in the same way as singles measures Rollcall.
func (l *lab) riverSingles(ctx context.Context) (taken, drained time.Duration, err error) {
	defer l.leave(len(l.cleanup))
	pool, err := riverPool(ctx, testenv.Postgres(l))
	if err != nil {
		return 0, 0, err
	}
	defer pool.Close()
	client, err := river.NewClient(riverpgxv5.New(pool), riverConfig())
	if err != nil {
		return 0, 0, err
	}
	begun := time.Now()
	err = fromAll(func(n int) error {
		_, err := client.Insert(ctx, riverArgs{string(payload(n))}, nil)
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	taken, begun = time.Since(begun), time.Now()
	if err := client.Start(ctx); err != nil {
		return 0, 0, err
	}
	defer client.StopAndCancel(context.WithoutCancel(ctx)) // all is done, or it has failed
	err = riverDone(ctx, pool, singleJobs)
	return taken, time.Since(begun), err
}
