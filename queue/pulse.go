package queue

import (
	"context"
	"sync"

	"github.com/redis/go-redis/v9"
)

// Pulse notices a Redis process that is another than the one met at its place
// before: one that was restarted, or has taken over from one that failed. What was written last
// may be gone from it. Give OnConnect to the client's options; the zero value
// works.
type Pulse struct {
	mu     sync.Mutex
	known  map[string]string // address: run id of the process last met there
	listen func()
}

// OnStranger has f called, which must not wait, before the first command on a
// connection to another process than before. There is one listener.
func (p *Pulse) OnStranger(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listen = f
}

// OnConnect asks a new connection whose it is. A Redis that does not tell (the
// one inside this process) is none that could be restarted.
func (p *Pulse) OnConnect(ctx context.Context, cn *redis.Conn) error {
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
