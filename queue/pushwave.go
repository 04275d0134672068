package queue

import (
	"context"
	"slices"
	"strconv"
	"time"
)

// These are the bounds of one push script, and of one round trip.
const (
	pushJobs      = 500
	pushBytes     = 1 << 20
	pushCalls     = 64
	pushWaveBytes = 8 << 20
)

// pushing is one try to push jobs, to one layout of each queue.
type pushing struct {
	c      *Client
	jobs   []Job
	views  map[string]*view
	now    string
	stage  int // 0 = the older layout, if there is one, 1 = the newer
	chunks []*chunk
	left   []int // jobs for the next stage
	full   map[queueKey]bool
	out    *PushError
}

// cut divides the jobs, in order, into chunks of at most scriptJobs jobs and about pushBytes bytes, each
// for one shard. In stage 0 it skips jobs of queues without an older layout. Stage 1 pushes these jobs.
func (p *pushing) cut(todo []int) {
	p.now = millis(p.c.opt.Now())
	open := make(map[*shardKeys]*chunk)
	for _, i := range todo {
		j := &p.jobs[i]
		v := p.views[j.Queue]
		if p.stage == 0 && len(v.stages) == 1 {
			p.left = append(p.left, i)
			continue
		}
		shards := v.stages[min(p.stage, len(v.stages)-1)]
		k := shards[shardOf(j.Key, len(shards))]
		ch := open[k]
		if ch == nil || len(ch.items) == p.c.scriptJobs || ch.bytes > pushBytes {
			ch = &chunk{shard: k}
			open[k] = ch
			p.chunks = append(p.chunks, ch)
		}
		ch.items, ch.bytes = append(ch.items, i), ch.bytes+len(j.Key)+len(j.Payload)
	}
}

// send runs the scripts in waves of one round trip. It sends the next script of a shard only after
// the shard's previous script has succeeded, so jobs keep their order. It stops after the first
// wave with an error, and reports whether all waves succeeded.
func (p *pushing) send(ctx context.Context) bool {
	for len(p.chunks) > 0 {
		wave, rest := nextWave(p.chunks)
		p.chunks = rest
		if p.sendWave(ctx, wave) {
			continue
		}
		for _, ch := range rest {
			p.out.add(errStopped, ch.items...)
		}
		p.out.add(errStopped, p.left...)
		return false
	}
	return true
}

// nextWave returns the chunks of the next round trip, at most one per shard, and the remaining
// chunks. Both lists keep the order.
func nextWave(chunks []*chunk) (wave, rest []*chunk) {
	seen, bytes := make(map[*shardKeys]bool, pushCalls), 0
	for i, ch := range chunks {
		if len(wave) == pushCalls || bytes > pushWaveBytes {
			return wave, append(rest, chunks[i:]...)
		}
		if seen[ch.shard] {
			rest = append(rest, ch)
			continue
		}
		seen[ch.shard] = true
		wave, bytes = append(wave, ch), bytes+ch.bytes
	}
	return wave, rest
}

// sendWave runs the scripts of one wave in one round trip and reports whether all succeeded.
func (p *pushing) sendWave(ctx context.Context, wave []*chunk) bool {
	calls := make([]*call, 0, len(wave))
	for _, ch := range wave {
		if p.build(ch); len(ch.items) > 0 {
			calls = append(calls, ch.call)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	p.c.engine.run(ctx, calls)
	cancel()
	taken := true
	for _, ch := range wave {
		if len(ch.items) == 0 {
			continue
		}
		if ch.call.err != nil {
			p.out.add(pushFault(ch.call.err), ch.items...)
			taken = false
			continue
		}
		left := ch.refused()
		p.left = append(p.left, left...)
		p.noteFull(ch)
		p.setPushed(ch, left)
	}
	return taken
}

// These are the numbers that push.lua adds to the position of a job in its reply.
const (
	jobWaited = 1000 // the key waited
	jobMerged = 2000 // the payload waited, too
	jobFull   = 3000 // the key is full
)

// setPushed stores the result of each job of a chunk in *Job.Pushed, unless Job.Pushed is nil. It skips
// jobs that a closed shard refused. The job of a full key gets the zero value.
func (p *pushing) setPushed(ch *chunk, left []int) {
	if ch.call.args[argReport] == "" || len(left) == len(ch.items) {
		return
	}
	found := make(map[int]Pushed, len(ch.call.reply))
	for _, val := range ch.call.reply[1:] {
		if n, ok := val.(int64); ok && n > jobWaited && n <= jobFull {
			found[int(n%jobWaited)-1] = Pushed{Waited: true, Merged: n > jobMerged}
		}
	}
	for at, i := range ch.items {
		if to := p.jobs[i].Pushed; to != nil && !slices.Contains(left, i) {
			*to = found[at]
		}
	}
}

// refused lists the jobs of a chunk that Redis refused because the shard is closed or unknown.
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

// millis formats a time as unix milliseconds.
func millis(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }
