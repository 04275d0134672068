package queue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
)

// These are the environment variables of a worker process of the chaos test.
const (
	envChaosRedis   = "QUEUE_CHAOS_REDIS"
	envChaosWitness = "QUEUE_CHAOS_WITNESS"
	envChaosPrefix  = "QUEUE_CHAOS_PREFIX"
)

// chaosLease is short, so that a run sees many changes of owner.
const chaosLease = 1500 * time.Millisecond

// witness is the record of what the handlers do, in a Redis that has no faults.
type witness struct {
	rdb    *redis.Client
	prefix string
	script *redis.Script
}

func newWitness(addr, prefix string) (*witness, error) {
	src, err := os.ReadFile("testdata/witness.lua")
	// A record must count once, however long the process is stopped.
	rdb := redis.NewClient(&redis.Options{Addr: addr, MaxRetries: -1, ReadTimeout: time.Minute})
	return &witness{rdb: rdb, prefix: prefix + ":witness:", script: redis.NewScript(string(src))}, err
}

var (
	errStale  = errors.New("the witness refuses a stale token")
	errAtWill = errors.New("now and then")
)

func (w *witness) tell(what string, list []*Delivery) error {
	d := list[0]
	args := []any{what, d.Key, fmt.Sprintf("%019d", d.Token), min(d.Redelivered, 1)}
	for _, d := range list {
		args = append(args, fmt.Sprintf("%09.0f", d.Score))
	}
	ok, err := w.script.Run(context.Background(), w.rdb, []string{w.prefix}, args...).Int()
	if err == nil && ok == 0 {
		err = errStale
	}
	return err
}

func (w *witness) handle(_ context.Context, b *Batch) error {
	for _, list := range b.Keys() {
		if err := w.tell("enter", list); err != nil {
			return err
		}
		time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond)
		if rand.IntN(30) == 0 {
			return errors.Join(errAtWill, w.tell("failed", list))
		}
		if err := w.tell("done", list); err != nil {
			return err
		}
	}
	return nil
}

// chaosWorker is the main function of a worker process. It ends on SIGTERM, or with its standard
// input.
func chaosWorker() int {
	prefix := os.Getenv(envChaosPrefix)
	w, err := newWitness(os.Getenv(envChaosWitness), prefix)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // ends with the test
		stop()
	}()
	rdb := redis.NewClient(&redis.Options{Addr: os.Getenv(envChaosRedis), ContextTimeoutEnabled: true})
	s := NewServer(rdb, ServerOptions{Prefix: prefix, Lease: chaosLease, Concurrency: 10}, Worker{
		Queue: "q", MaxRetries: 1e6, MaxCrashes: -1,
		RetryIn: func(int) time.Duration { return time.Duration(rand.IntN(20)) * time.Millisecond },
		Handle:  w.handle,
	})
	if err := s.Start(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	<-ctx.Done()
	s.Stop()
	return 0
}
