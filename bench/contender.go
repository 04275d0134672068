package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// contender is one of the queues that a bench compares. Each has its own Redis server.
type contender interface {
	// fill enqueues n jobs, numbered from first, in the fastest way.
	fill(ctx context.Context, first, n int) error

	// push enqueues one job.
	push(ctx context.Context, payload []byte) error

	// work starts a node, which calls `handled` with the payload of each job when the job starts. The
	// returned function stops the node.
	work(ctx context.Context, concurrency int, handled func([]byte)) (func(), error)

	// left returns the number of waiting and running jobs in Redis.
	left(ctx context.Context) (int64, error)

	// redis returns the Redis server of the contender.
	redis() *store
}

// store is a private Redis server with a connection for queries.
type store struct {
	addr string
	rdb  *redis.Client
}

// store starts a Redis server. All contenders of a bench get a server with the same settings.
func (l *lab) store() *store {
	args := []string{}
	if l.aof {
		args = append(args, "--appendonly", "yes")
	}
	server := testenv.StartRedis(l, args...)
	s := &store{server.Addr(), dial(server.Addr())}
	l.Cleanup(func() { _ = s.rdb.Close() }) // the connection was only used for queries
	return s
}

func dial(addr string) *redis.Client {
	return redis.NewClient(&redis.Options{Addr: addr, ContextTimeoutEnabled: true})
}

// info returns a number from INFO.
func (s *store) info(ctx context.Context, section, field string) (float64, error) {
	text, err := s.rdb.Info(ctx, section).Result()
	if err != nil {
		return 0, err
	}
	_, rest, ok := strings.Cut(text, "\n"+field+":")
	if !ok {
		return 0, fmt.Errorf("INFO of redis has no %s", field)
	}
	value, _, _ := strings.Cut(rest, "\r")
	return strconv.ParseFloat(value, 64)
}

// payload returns the payload of job i: its number in 20 bytes.
func payload(i int) []byte { return fmt.Appendf(nil, "%020d", i) }

// counter closes done when the wanted number of jobs have started.
type counter struct {
	n    atomic.Int64
	want int64
	done chan struct{}
}

func countTo(want int) *counter { return &counter{want: int64(want), done: make(chan struct{})} }

func (c *counter) handled([]byte) {
	if c.n.Add(1) == c.want {
		close(c.done)
	}
}

// errSlow means that a node did not complete its jobs within waitAtMost.
var errSlow = errors.New("the node did not finish its jobs")

const waitAtMost = 3 * time.Minute

func (c *counter) wait(ctx context.Context) error {
	select {
	case <-c.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(waitAtMost):
		return fmt.Errorf("%w: %d of %d jobs", errSlow, c.n.Load(), c.want)
	}
}

// settled waits until Redis holds no job.
func settled(ctx context.Context, c contender) error {
	for end := time.Now().Add(waitAtMost); ; time.Sleep(time.Millisecond) {
		left, err := c.left(ctx)
		if err != nil || left == 0 {
			return err
		}
		if time.Now().After(end) {
			return fmt.Errorf("%w: %d jobs are left", errSlow, left)
		}
	}
}

// sideBySide measures both contenders alternately, each time on new servers.
func (l *lab) sideBySide(runs int, measure func(contender) error) error {
	for range runs {
		if err := l.fresh(func() contender { return l.rollcall() }, measure); err != nil {
			return err
		}
		if err := l.fresh(func() contender { return l.peer() }, measure); err != nil {
			return fmt.Errorf("%s: %w", peerName, err)
		}
	}
	return nil
}

// compare is like sideBySide, for a measurement of one value.
func (l *lab) compare(
	runs int, measure func(contender) (float64, error),
) (ours, theirs []float64, err error) {
	err = l.sideBySide(runs, func(c contender) error {
		v, err := measure(c)
		if _, ok := c.(*peer); ok {
			theirs = append(theirs, v)
		} else {
			ours = append(ours, v)
		}
		return err
	})
	return ours, theirs, err
}

// fresh measures one contender, and then stops its server.
func (l *lab) fresh(start func() contender, measure func(contender) error) error {
	defer l.leave(len(l.cleanup))
	return measure(start())
}
