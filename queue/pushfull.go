package queue

import "slices"

// queueKey is the identity of a key across queues.
type queueKey struct{ queue, key string }

// omitFull removes the jobs of full keys from a chunk, and adds them to the error. A key is full if
// push.lua has refused a job of the key in an earlier chunk.
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

// noteFull reads which jobs of a chunk push.lua has refused because their keys are full. It adds
// these jobs to the error, and records their keys in p.full.
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
