package queue

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Bounds of one push script, and of one round trip of them.
const (
	pushJobs  = 400
	pushBytes = 1 << 20
	pushCalls = 64
)

// pushRounds is how often a push follows a queue that is cut anew meanwhile.
const pushRounds = 8

// ErrMoving means that a queue was cut anew again and again while a push tried to
// follow. Push the job again.
var ErrMoving = errors.New("queue is being cut anew")

// Push adds jobs. One that breaks a limit or names an unknown queue is refused
// before anything is sent; the others are pushed, and a *PushError names those
// that were not, with ErrInvalidJob or ErrUnknownQueue. After any other error
// some may have been pushed; pushing all again adds no payload that waits
// already, but one that ran meanwhile runs again.
func (c *Client) Push(ctx context.Context, jobs ...Job) error { return c.push(ctx, jobs) }

// pushGood pushes the jobs that may be pushed.
func (c *Client) pushGood(ctx context.Context, jobs []Job) error {
	todo, bad := c.check(jobs)
	for range pushRounds {
		var err error
		if todo, err = c.pushRound(ctx, jobs, todo); err != nil {
			return err
		}
		if len(todo) == 0 {
			return bad.orNil()
		}
		for _, i := range todo {
			c.forget(jobs[i].Queue)
		}
	}
	return fmt.Errorf("queue: push %d of %d jobs: %w", len(todo), len(jobs), ErrMoving)
}

// check splits the jobs into those that may be pushed and those that may not.
func (c *Client) check(jobs []Job) (good []int, bad PushError) {
	good = make([]int, 0, len(jobs))
	for i := range jobs {
		err := jobs[i].validate()
		if _, told := c.queues[jobs[i].Queue]; !told {
			err = fmt.Errorf("queue %q: %w", jobs[i].Queue, ErrUnknownQueue)
		}
		if err != nil {
			bad.Items = append(bad.Items, ItemError{Index: i, Err: err})
			continue
		}
		good = append(good, i)
	}
	return good, bad
}

// pushRound offers the jobs to the older cut of their queue, if there is one, and
// then to the newer. It returns those that neither took.
func (c *Client) pushRound(ctx context.Context, jobs []Job, todo []int) ([]int, error) {
	views := make(map[string]*view)
	for _, i := range todo {
		if queue := jobs[i].Queue; views[queue] == nil {
			v, err := c.view(ctx, queue)
			if err != nil {
				return todo, err
			}
			views[queue] = v
		}
	}
	for stage := range 2 {
		p := pushing{c: c, jobs: jobs, views: views, stage: stage}
		p.cut(todo)
		if err := p.send(ctx); err != nil {
			return todo, err
		}
		todo = p.refused
	}
	return todo, nil
}

// pushing is one pass over jobs, to one cut of each queue.
type pushing struct {
	c       *Client
	jobs    []Job
	views   map[string]*view
	stage   int // 0 = the older cut, if there is one, 1 = the newer
	chunks  []*chunk
	refused []int
}

// chunk gathers the jobs of one script.
type chunk struct {
	call  *call
	items []int // indexes of its jobs
	bytes int
	again []any // keys to mark as redelivered
}

// cut groups the jobs by shard, in order, into scripts of bounded size.
func (p *pushing) cut(todo []int) {
	now := strconv.FormatInt(p.c.opt.Now().UnixMilli(), 10)
	open := make(map[*shardKeys]*chunk)
	for _, i := range todo {
		j := &p.jobs[i]
		v := p.views[j.Queue]
		if p.stage == 0 && len(v.stages) == 1 {
			p.refused = append(p.refused, i)
			continue
		}
		shards := v.stages[min(p.stage, len(v.stages)-1)]
		k := shards[shardOf(j.Key, len(shards))]
		ch := open[k]
		if ch == nil || len(ch.items) == pushJobs || ch.bytes > pushBytes {
			ch = p.c.openChunk(j.Queue, k, now)
			open[k] = ch
			p.chunks = append(p.chunks, ch)
		}
		ch.add(i, j, now)
	}
}

func (c *Client) openChunk(queue string, k *shardKeys, now string) *chunk {
	return &chunk{call: &call{
		script: pushScript,
		keys:   []string{k.due, k.jobs, k.busy, k.wait, k.again, k.more, k.line, k.gate},
		args:   []any{c.keys.wake(queue), k.id.name(), k.id.gateAtFirst(), now, 0},
	}}
}

func (ch *chunk) add(i int, j *Job, now string) {
	at := now
	if !j.RunAt.IsZero() {
		at = millis(j.RunAt)
	}
	ch.call.args = append(ch.call.args, j.Key, at, encodeItem(j.Score, j.Payload))
	ch.items = append(ch.items, i)
	ch.bytes += len(j.Key) + len(j.Payload)
	if j.Redelivered {
		ch.again = append(ch.again, j.Key)
	}
}

// send runs the scripts and gathers the jobs they refuse.
func (p *pushing) send(ctx context.Context) error {
	calls := make([]*call, len(p.chunks))
	for i, ch := range p.chunks {
		ch.call.args[4] = len(ch.items)
		ch.call.args = append(ch.call.args, ch.again...)
		calls[i] = ch.call
	}
	for len(calls) > 0 {
		n := min(pushCalls, len(calls))
		if err := p.c.sendCalls(ctx, calls[:n]); err != nil {
			return err
		}
		calls = calls[n:]
	}
	for _, ch := range p.chunks {
		p.refused = append(p.refused, ch.refused()...)
	}
	return nil
}

func (c *Client) sendCalls(ctx context.Context, calls []*call) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	runCalls(ctx, c.rdb, calls)
	return firstError("push", calls)
}

// refused lists the jobs that the shard did not take.
func (ch *chunk) refused() []int {
	if ch.call.status() < 0 {
		return ch.items
	}
	var list []int
	for _, val := range ch.call.reply[1:] {
		if n, ok := val.(int64); ok && n >= 1 && int(n) <= len(ch.items) {
			list = append(list, ch.items[n-1])
		}
	}
	return list
}

// millis prints a time as unix milliseconds.
func millis(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }
