package queue

import (
	"context"
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

// Push adds jobs. All are checked before any is sent: ErrInvalidJob and
// ErrUnknownQueue mean that nothing was pushed. After any other error some may
// have been pushed; pushing all again adds no payload that waits already, but
// one that ran meanwhile runs again.
func (c *Client) Push(ctx context.Context, jobs ...Job) error {
	for i := range jobs {
		if _, err := c.shardsOf(jobs[i].Queue); err != nil {
			return err
		}
		if err := jobs[i].validate(); err != nil {
			return fmt.Errorf("queue: push to %q key %.80q: %w", jobs[i].Queue, jobs[i].Key, err)
		}
	}
	calls := c.pushCalls(jobs)
	for len(calls) > 0 {
		n := min(pushCalls, len(calls))
		if err := c.send(ctx, calls[:n]); err != nil {
			return err
		}
		calls = calls[n:]
	}
	return nil
}

func (c *Client) send(ctx context.Context, calls []*call) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	runCalls(ctx, c.rdb, calls)
	return firstError("push", calls)
}

// chunk gathers the jobs of one script.
type chunk struct {
	call  *call
	jobs  int
	bytes int
	again []any // keys to mark as redelivered
}

// slot is a shard of a queue.
type slot struct {
	queue string
	shard int
}

// pushCalls groups the jobs by shard, in order, into scripts of bounded size.
func (c *Client) pushCalls(jobs []Job) []*call {
	now := strconv.FormatInt(c.opt.Now().UnixMilli(), 10)
	open := make(map[slot]*chunk)
	var calls []*call
	for i := range jobs {
		j := &jobs[i]
		shards := c.queues[j.Queue]
		at := slot{j.Queue, shardOf(j.Key, len(shards))}
		ch := open[at]
		if ch == nil || ch.jobs == pushJobs || ch.bytes > pushBytes {
			if ch != nil {
				ch.close()
			}
			ch = c.openChunk(at, shards[at.shard])
			open[at] = ch
			calls = append(calls, ch.call)
		}
		ch.add(j, now)
	}
	for _, ch := range open {
		ch.close()
	}
	return calls
}

func (c *Client) openChunk(at slot, k *shardKeys) *chunk {
	return &chunk{call: &call{
		script: pushScript,
		keys:   []string{k.due, k.jobs, k.busy, k.wait, k.again, k.more},
		args:   []any{c.keys.wake(at.queue), at.shard, 0},
	}}
}

func (ch *chunk) add(j *Job, now string) {
	at := now
	if !j.RunAt.IsZero() {
		at = millis(j.RunAt)
	}
	ch.call.args = append(ch.call.args, j.Key, at, encodeItem(j.Score, j.Payload))
	ch.jobs++
	ch.bytes += len(j.Key) + len(j.Payload)
	if j.Redelivered {
		ch.again = append(ch.again, j.Key)
	}
}

func (ch *chunk) close() {
	ch.call.args[2] = ch.jobs
	ch.call.args = append(ch.call.args, ch.again...)
}

// millis prints a time as unix milliseconds.
func millis(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }
