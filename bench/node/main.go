// Command node is one node of a queue in its own process, which a bench can measure and kill. It runs the
// jobs of the queues bench-0, bench-1 and so on until SIGTERM. For each job, it prints the payload and
// the start time in unix ns.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/queue"
)

type options struct {
	Redis  string        `required:"" help:"Address of Redis."`
	Queues int           `default:"1" help:"Queues to work."`
	Shards int           `default:"5" help:"Shards of each."`
	Lease  time.Duration `default:"10s" help:"Lease of a shard."`
	Peer   bool          `help:"Work the queues with asynq instead."`
}

func main() {
	var opt options
	kong.Parse(&opt)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	run := ours
	if opt.Peer {
		run = peer
	}
	if err := run(ctx, opt); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func ours(ctx context.Context, opt options) error {
	rdb := redis.NewClient(&redis.Options{Addr: opt.Redis, ContextTimeoutEnabled: true})
	defer rdb.Close()
	workers := make([]queue.Worker, opt.Queues)
	for i := range workers {
		workers[i] = queue.Worker{Queue: name(i), Shards: opt.Shards, Handle: reportStart}
	}
	s := queue.NewServer(rdb, queue.ServerOptions{Lease: opt.Lease}, workers...)
	if err := s.Start(ctx); err != nil {
		return err
	}
	<-ctx.Done()
	s.Stop()
	return nil
}

func reportStart(_ context.Context, b *queue.Batch) error {
	for _, d := range b.Deliveries {
		started(d.Payload)
	}
	return nil
}

func peer(ctx context.Context, opt options) error {
	names := make(map[string]int, opt.Queues)
	for i := range opt.Queues {
		names[name(i)] = 1
	}
	s := asynq.NewServer(asynq.RedisClientOpt{Addr: opt.Redis},
		asynq.Config{Concurrency: 25, Queues: names, LogLevel: asynq.FatalLevel})
	err := s.Start(asynq.HandlerFunc(func(_ context.Context, t *asynq.Task) error {
		started(t.Payload())
		return nil
	}))
	if err != nil {
		return err
	}
	<-ctx.Done()
	s.Shutdown()
	return nil
}

func started(payload []byte) { fmt.Printf("%s %d\n", payload, time.Now().UnixNano()) }

func name(i int) string { return fmt.Sprintf("bench-%d", i) }
