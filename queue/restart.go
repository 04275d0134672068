package queue

import (
	"context"
	"sync"

	"github.com/redis/go-redis/v9"
)

// RestartDetector is a detector of new Redis processes, for example after a restart or a failover. The
// last writes may then be lost. Pass the method OnConnect as the option OnConnect of the Redis
// client. The zero value works.
type RestartDetector struct {
	mu     sync.Mutex
	known  map[string]string // address: run id of the last process there
	listen func()
}

// OnNewServer sets the function that is called on the first connection to a Redis process, before
// other commands on that connection. The function is also called for the first process at an address.
// The function must not block. A second call replaces the function.
func (p *RestartDetector) OnNewServer(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listen = f
}

// OnConnect compares the run id of Redis on a new connection with the last run id at the same
// address. If they differ, it calls the function of OnNewServer. A Redis without a run id, such as
// the in-process Redis, never counts as restarted.
func (p *RestartDetector) OnConnect(ctx context.Context, cn *redis.Conn) error {
	info, err := cn.Info(ctx, "server").Result()
	if err != nil {
		if refusesInfo(err) {
			return nil
		}
		return err
	}
	at, id := cn.String(), runID(info)
	p.mu.Lock()
	defer p.mu.Unlock()
	if id == p.known[at] {
		return nil
	}
	if p.known == nil {
		p.known = map[string]string{}
	}
	p.known[at] = id
	if p.listen != nil {
		p.listen()
	}
	return nil
}
