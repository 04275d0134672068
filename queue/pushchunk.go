package queue

import "slices"

// chunk holds the jobs of one call of push.lua.
type chunk struct {
	shard *shardKeys
	call  *call
	items []int // indexes of its jobs
	bytes int
}

// build makes the call of push.lua for a chunk, without the jobs of full keys.
func (p *pushing) build(ch *chunk) {
	p.omitFull(ch)
	k := ch.shard
	ch.call = &call{script: pushScript, once: true, keys: []string{
		k.due, k.jobs, k.busy, k.wait, k.redeliveries, k.payloads, k.ready, k.gate, k.morgue, k.deadPayloads, k.limits,
	}}
	ch.call.args = append(make([]any, 0, firstJob+4*len(ch.items)),
		p.c.keys.wake(k.id.Queue), k.id.name(), k.id.gateAtFirst(), p.now, len(ch.items), "", "")
	for _, i := range ch.items {
		ch.add(&p.jobs[i], p.now)
	}
	p.addLimits(ch)
	for _, i := range ch.items {
		if j := &p.jobs[i]; j.Redelivered {
			ch.call.args = append(ch.call.args, j.Key)
		}
	}
}

// These are indexes into the arguments of push.lua.
const (
	argReport  = 5
	argLimited = 6
	firstJob   = 7
)

func (ch *chunk) add(j *Job, now string) {
	at := now
	if !j.RunAt.IsZero() {
		at = millis(j.RunAt)
	}
	ch.call.args = append(ch.call.args, j.Key, at, encodeBody(j.Score, j.Payload))
	if j.Pushed != nil {
		ch.call.args[argReport] = "1"
	}
}

// addLimits adds the limits of all jobs of a chunk to the call if any of the jobs has a limit.
func (p *pushing) addLimits(ch *chunk) {
	if !slices.ContainsFunc(ch.items, func(i int) bool { return p.jobs[i].Limit > 0 }) {
		return
	}
	ch.call.args[argLimited] = "1"
	for _, i := range ch.items {
		ch.call.args = append(ch.call.args, p.jobs[i].Limit)
	}
}
