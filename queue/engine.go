package queue

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// engine is the runner of scripts. It logs failed scripts, and records them in Redis for all processes.
type engine struct {
	rdb  redis.UniversalClient
	keys keyspace
	log  *slog.Logger
	now  func() time.Time

	mu    sync.Mutex
	open  map[string]*openFault
	total int64
}

// openFault is a fault that may still repeat, with the times at which it was last logged and last stored
// in Redis.
type openFault struct {
	ScriptFault
	logged, noted time.Time
}

func newEngine(
	rdb redis.UniversalClient, keys keyspace, log *slog.Logger, now func() time.Time,
) *engine {
	return &engine{rdb: rdb, keys: keys, log: log, now: now, open: make(map[string]*openFault)}
}

// run passes the calls to runCalls, and records each call that ended with a script fault.
func (e *engine) run(ctx context.Context, calls []*call) {
	runCalls(ctx, e.rdb, calls)
	for _, c := range calls {
		if isScriptFault(c.err) {
			e.note(ctx, c)
		}
	}
}

// count returns how many calls ended with a script fault.
func (e *engine) count() int64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.total
}

// note logs the first failure of a script at once, and records it in Redis for all processes. A repeated
// failure is logged at most once per faultLogged, and recorded at most once per faultNoted.
func (e *engine) note(ctx context.Context, c *call) {
	queue, shard := e.keys.queueAndShard(c.keys[0])
	f, log, note := e.add(queue, shard, c)
	if log {
		e.log.Error("a script failed in redis", "queue", queue, "shard", shard,
			"script", c.script.name, "times", f.Count, "err", c.err)
	}
	if !note {
		return
	}
	data, err := json.Marshal(f)
	if err != nil { // the struct always encodes
		return
	}
	pipe := e.rdb.Pipeline()
	pipe.HSet(ctx, e.keys.faults(queue), shard+" "+f.Script, data)
	pipe.Expire(ctx, e.keys.faults(queue), faultKept)
	if _, err := pipe.Exec(ctx); err != nil {
		e.log.Warn("a failed script is not recorded in redis", "queue", queue, "err", err)
	}
}

// add counts a failed call in the fault of its script and shard, or in a new fault if the old fault no
// longer repeats. It reports whether to log the fault, and whether to store it in Redis.
func (e *engine) add(queue, shard string, c *call) (f ScriptFault, log, note bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.total++
	now, at := e.now(), queue+"\n"+shard+"\n"+c.script.name
	open := e.open[at]
	if open == nil || !open.Repeats(now) {
		open = &openFault{ScriptFault: ScriptFault{
			Queue: queue, Shard: shard, Script: c.script.name, Since: now,
		}}
		e.open[at] = open
	}
	open.Last, open.Err = now, clipAt(c.err.Error(), faultBytes)
	open.Count++
	if log = now.Sub(open.logged) >= faultLogged; log {
		open.logged = now
	}
	if note = now.Sub(open.noted) >= faultNoted; note {
		open.noted = now
	}
	return open.ScriptFault, log, note
}
