package queue

import (
	"context"
	"sync"

	"github.com/redis/go-redis/v9"
)

// RestartDetector detects a new Redis process at a known address, such as after a restart or a failover. The
// last writes may then be lost. Pass OnConnect to the client's options; the zero value works.
type RestartDetector struct {
	mu     sync.Mutex
	known  map[string]string // address: run id of the last process there
	listen func()
}

// OnNewServer sets the function to call before the first command on a connection to a new process.
// It must not block. A second call replaces the first.
func (p *RestartDetector) OnNewServer(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listen = f
}

// OnConnect compares the run id behind a new connection. A Redis without a run id, such as the one
// inside this process, never counts as restarted.
func (p *RestartDetector) OnConnect(ctx context.Context, cn *redis.Conn) error {
	info, err := cn.Info(ctx, "server").Result()
	if err != nil {
		if untold(err) {
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
