package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
)

// roundTrip runs the scripts of the given shards in one round trip, and applies their replies.
func (s *Server) roundTrip(ctx context.Context, trips []*roundTrip) {
	now := strconv.FormatInt(s.opt.Now().UnixMilli(), 10)
	var calls []*call
	room := tripBytes
	for _, trip := range trips {
		calls = append(calls, trip.build(now, &room)...)
	}
	bounded, cancel := context.WithTimeout(ctx, s.opt.timeout())
	s.engine.run(bounded, calls)
	cancel()
	for _, trip := range trips {
		s.apply(trip)
		if trip.check {
			s.reclaim(ctx, trip.own)
		}
	}
}

// build makes the scripts of the round trip, settlements before the fetch. Settlements with payloads
// reduce *room by their bytes. Settlements that exceed the room or the bounds of a script are removed
// from trip.sent, and wait for a later round trip.
func (trip *roundTrip) build(now string, room *int) []*call {
	k, lease := trip.own.shard.keys, trip.own.lease
	acks, tickets, others := []any{lease, 0}, []any{}, []any{lease, now}
	n := 0
	for _, st := range trip.sent {
		if len(tickets) == settleAcks || n == settleOther || *room <= 0 {
			trip.sent = trip.sent[:len(tickets)+n]
			break
		}
		if st.plan.plain() {
			acks, tickets = append(acks, st.unit.key), append(tickets, st.unit.ticket())
			continue
		}
		var bytes int
		others, bytes = st.appendTo(others, 0)
		*room -= bytes
		n++
	}
	var calls []*call
	if len(tickets) > 0 {
		acks[1] = len(tickets)
		trip.ack = &call{script: ackScript, args: append(acks, tickets...), keys: []string{
			k.lease, k.due, k.busy, k.wait, k.errors, k.stats,
		}}
		calls = append(calls, trip.ack)
	}
	if n > 0 {
		trip.settle = settleCall(k, others)
		calls = append(calls, trip.settle)
	}
	if trip.want > 0 {
		trip.fetch = &call{script: fetchScript, keys: []string{
			k.lease, k.due, k.jobs, k.busy, k.wait, k.retries, k.redeliveries, k.seq, k.payloads,
			k.ready, k.crashes, k.limits, k.wanted,
		}, args: []any{lease, now, trip.want, cmp.Or(trip.bytes, fetchBytes), k.channel}}
		calls = append(calls, trip.fetch)
	}
	return calls
}

func settleCall(k *shardKeys, args []any) *call {
	return &call{script: settleScript, args: args, keys: []string{
		k.lease, k.due, k.jobs, k.busy, k.wait, k.retries, k.redeliveries, k.errors, k.stats,
		k.morgue, k.deadErrors, k.payloads, k.deadPayloads, k.crashes,
	}}
}

// ticket returns the delivery number in the form in which the scripts compare it.
func (u *inflightKey) ticket() string { return strconv.FormatInt(u.seq, 10) + ";" }

// appendTo appends the settlement to `args`, the arguments of settle.lua. It returns the extended
// list, and the sum of `bytes` and the size of the settlement.
func (st *settlement) appendTo(args []any, bytes int) ([]any, int) {
	p := &st.plan
	args = append(args, st.unit.key, st.unit.ticket(), p.done, p.failed, p.retry, p.redeliveries,
		p.crashes, p.runAt, p.err, len(p.kept), len(p.dead))
	for _, list := range [][]*Delivery{p.kept, p.dead} {
		for _, d := range list {
			args = append(args, formatScore(d.Score), d.Payload)
			bytes += len(d.Payload) + itemBytes
		}
	}
	return args, bytes + len(p.err)
}

// result is the reply of Redis to a round trip.
type result struct {
	units []*inflightKey
	head  int64 // run-at of the next due key
	busy  int   // keys in flight, counted by Redis
	last  int64 // number of the last delivery before the fetch; -1 = no fetch
	moved bool  // keys became due by the settlements
	lost  bool
	err   error
}

// read parses the replies.
func (trip *roundTrip) read() (r result) {
	r.head, r.last = never, -1
	for _, c := range []*call{trip.ack, trip.settle, trip.fetch} {
		if c == nil {
			continue
		}
		r.err = errors.Join(r.err, c.err)
		r.lost = r.lost || c.status() < 0
	}
	if r.err != nil || r.lost {
		return r
	}
	for _, c := range []*call{trip.ack, trip.settle} {
		if c != nil && len(c.reply) == 2 {
			moved, _ := c.reply[1].(int64)
			r.moved = r.moved || moved > 0
		}
	}
	if trip.fetch != nil {
		r.err = r.readFetch(trip.own, trip.fetch.reply)
	}
	return r
}

func (r *result) readFetch(own *ownedShard, reply []any) (err error) {
	if len(reply) < 4 {
		return fmt.Errorf("%w: fetch replied %d values", errRecord, len(reply))
	}
	if head, _ := reply[1].(string); head != "" {
		at, err := parseInt(head)
		if err != nil {
			return err
		}
		r.head = at
	}
	busy, _ := reply[2].(int64)
	r.busy = int(busy)
	last, _ := reply[3].(string)
	if r.last, err = parseInt(last); err != nil {
		return err
	}
	r.units = make([]*inflightKey, 0, len(reply)/2)
	for i := 4; i+1 < len(reply); i += 2 {
		key, _ := reply[i].(string)
		text, _ := reply[i+1].(string)
		rec, err := decodeRecord(text)
		if err != nil {
			continue // the record stays in flight, where reclaim finds it
		}
		r.units = append(r.units, own.newInflightKey(key, rec))
	}
	return nil
}
