package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// riverName is the name of the peer that records its jobs in Postgres.
const riverName = "River 0.51"

type riverArgs struct {
	N string `json:"n"`
}

func (riverArgs) Kind() string { return queueName }

type riverWorker struct {
	river.WorkerDefaults[riverArgs]
}

func (riverWorker) Work(context.Context, *river.Job[riverArgs]) error { return nil }

// runRiver runs trackedJobs jobs with the settings of riverConfig.
func (l *lab) runRiver(ctx context.Context) (time.Duration, error) {
	pool, err := riverPool(ctx, testenv.Postgres(l))
	if err != nil {
		return 0, err
	}
	defer pool.Close()
	client, err := river.NewClient(riverpgxv5.New(pool), riverConfig())
	if err != nil {
		return 0, err
	}
	if err := client.Start(ctx); err != nil {
		return 0, err
	}
	defer client.StopAndCancel(context.WithoutCancel(ctx)) // all is done, or it has failed
	time.Sleep(settleTime)
	begun := time.Now()
	if err := riverInsert(ctx, client); err != nil {
		return 0, err
	}
	err = riverDone(ctx, pool, trackedJobs)
	return time.Since(begun), err
}

// riverConfig returns the settings at which River is fastest here.
func riverConfig() *river.Config {
	workers := river.NewWorkers()
	river.AddWorker(workers, &riverWorker{})
	return &river.Config{
		Queues:            map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 2000}},
		Workers:           workers,
		FetchCooldown:     2 * time.Millisecond,
		FetchPollInterval: 10 * time.Millisecond,
		Logger:            slog.New(slog.DiscardHandler),
	}
}

func riverPool(ctx context.Context, url string) (*pgxpool.Pool, error) {
	pool, err := pgxpool.New(ctx, url+"&pool_max_conns=12")
	if err != nil {
		return nil, err
	}
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), nil)
	if err == nil {
		_, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
	}
	return pool, err
}

func riverInsert(ctx context.Context, client *river.Client[pgx.Tx]) error {
	for first := 0; first < trackedJobs; first += appendChunk {
		jobs := make([]river.InsertManyParams, appendChunk)
		for i := range jobs {
			jobs[i].Args = riverArgs{string(payload(first + i))}
		}
		if _, err := client.InsertManyFast(ctx, jobs); err != nil {
			return err
		}
	}
	return nil
}

// riverDone waits until all jobs are completed, and checks that their number is n.
func riverDone(ctx context.Context, pool *pgxpool.Pool, n int) error {
	for end := time.Now().Add(waitAtMost); ; time.Sleep(20 * time.Millisecond) {
		var left bool
		err := pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM river_job
			WHERE state IN ('available', 'running', 'retryable', 'scheduled', 'pending'))`).Scan(&left)
		if err != nil || left && time.Now().Before(end) {
			if err != nil {
				return err
			}
			continue
		}
		var done int
		err = pool.QueryRow(ctx, "SELECT count(*) FROM river_job WHERE state = 'completed'").Scan(&done)
		if err == nil && done != n {
			err = fmt.Errorf("%w: %d completed", errWrong, done)
		}
		return err
	}
}
