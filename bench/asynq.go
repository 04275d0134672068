package main

import (
	"context"
	"time"

	"github.com/hibiken/asynq"
	"golang.org/x/sync/errgroup"
)

// peerName is the peer of the queue benches.
const peerName = "asynq 0.26"

// peer is asynq, with a connection for every goroutine.
type peer struct {
	*store
	clients [peerClients]*asynq.Client
	check   time.Duration // pause between two polls of an empty queue; 0 means the default of asynq
}

// peerClients is how many clients of asynq enqueue concurrently, each on its own connection. asynq has no
// bulk call.
const peerClients = 10

func (l *lab) peer() *peer {
	p := &peer{store: l.store()}
	for i := range p.clients {
		p.clients[i] = asynq.NewClient(asynq.RedisClientOpt{Addr: p.addr, PoolSize: 1})
		l.Cleanup(func() { _ = p.clients[i].Close() }) // everything is sent
	}
	return p
}

func (p *peer) redis() *store { return p.store }

func (p *peer) fill(ctx context.Context, first, n int) error {
	group, ctx := errgroup.WithContext(ctx)
	for c, client := range p.clients {
		group.Go(func() error {
			for i := first + c; i < first+n; i += peerClients {
				task := asynq.NewTask(queueName, payload(i))
				if _, err := client.EnqueueContext(ctx, task); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

func (p *peer) push(ctx context.Context, payload []byte) error {
	_, err := p.clients[0].EnqueueContext(ctx, asynq.NewTask(queueName, payload))
	return err
}

func (p *peer) work(
	_ context.Context, concurrency int, handled func([]byte),
) (func(), error) {
	s := asynq.NewServer(
		asynq.RedisClientOpt{Addr: p.addr, PoolSize: concurrency + peerClients},
		asynq.Config{Concurrency: concurrency, TaskCheckInterval: p.check, LogLevel: asynq.FatalLevel},
	)
	return s.Shutdown, s.Start(asynq.HandlerFunc(func(_ context.Context, t *asynq.Task) error {
		handled(t.Payload())
		return nil
	}))
}

func (p *peer) left(ctx context.Context) (int64, error) {
	pipe := p.rdb.Pipeline()
	pending := pipe.LLen(ctx, "asynq:{default}:pending")
	active := pipe.LLen(ctx, "asynq:{default}:active")
	_, err := pipe.Exec(ctx)
	return pending.Val() + active.Val(), err
}
