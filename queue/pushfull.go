package queue

import "slices"

// queueKey is a key of a queue.
type queueKey struct{ queue, key string }

// omitFull refuses the jobs of a chunk whose keys have already refused a job.
func (p *pushing) omitFull(ch *chunk) {
	if len(p.full) == 0 {
		return
	}
	ch.items = slices.DeleteFunc(ch.items, func(i int) bool {
		full := p.full[queueKey{p.jobs[i].Queue, p.jobs[i].Key}]
		if full {
			p.out.add(ErrKeyFull, i)
		}
		return full
	})
}

// noteFull records the jobs that full keys have refused, and these keys.
func (p *pushing) noteFull(ch *chunk) {
	if ch.call.args[argLimited] == "" || ch.call.status() < 0 {
		return
	}
	for _, val := range ch.call.reply[1:] {
		if n, ok := val.(int64); ok && n > jobFull {
			i := ch.items[n-jobFull-1]
			p.full[queueKey{p.jobs[i].Queue, p.jobs[i].Key}] = true
			p.out.add(ErrKeyFull, i)
		}
	}
}
