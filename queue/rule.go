package queue

import (
	"strings"
	"time"
	"unicode/utf8"
)

// maxErrorBytes is the maximum number of bytes of an error text that Redis stores.
const maxErrorBytes = 4 << 10

// callResult is how a handler call ended: the error, and whether a stop of the server caused it.
type callResult struct {
	err         error
	interrupted bool
	untouched   bool // the handler never ran
	now         time.Time
}

// resolve sets the outcomes of the unresolved payloads of one key. If a payload stays in the queue, the
// later unresolved payloads are put back, to keep the order. The handler's error uses an attempt of at
// most one payload: the oldest unresolved one. If a stop of the server caused the error, it uses no
// attempt.
func (w *Worker) resolve(list []*Delivery, v callResult) {
	kept, blamed := false, false
	for _, d := range list {
		switch {
		case d.outcome.Kind != 0:
		case kept || blamed || (v.err != nil && v.interrupted):
			d.outcome = Outcome{Kind: Return}
		default:
			d.outcome = w.Next(d, v.err, v.now)
			blamed = v.err != nil
		}
		kept = kept || d.outcome.Kind == Retry || d.outcome.Kind == Return
	}
}

// plan is the change that a settlement makes to one key.
type plan struct {
	done, failed        int // payloads processed, attempts failed
	retry, redeliveries int // of the kept payloads
	crashes             int // crash count of the kept payloads, as in record; -1 once a handler has returned
	runAt               int64
	err                 string
	kept, dead          []*Delivery
}

// plain reports whether the plan only removes one payload, so that ack.lua suffices.
func (p *plan) plain() bool { return p.done == 1 && len(p.kept)+len(p.dead)+p.failed == 0 }

// planOf returns the plan of one key from its resolved payloads.
//
// The oldest kept payload decides the retry count of the key. If payloads before it are done or dead,
// the count restarts at -1, which means no retry. A Retry of a later payload raises a count of -1 to
// 0. The key runs again at the latest run-at of its kept payloads, so that every retry waits for its
// full pause.
func planOf(list []*Delivery, now time.Time) plan {
	head := list[0]
	p := plan{
		retry: head.RetryCount, redeliveries: head.Redelivered, crashes: -1, runAt: head.RunAt.UnixMilli(),
	}
	doubt := false
	for _, d := range list {
		o := d.outcome
		switch o.Kind {
		case Done:
			p.done++
		case Dead:
			p.failed++
			p.dead = append(p.dead, d)
		case Retry:
			p.failed++
			p.kept = append(p.kept, d)
		default:
			p.kept = append(p.kept, d)
		}
		p.advance(d, now)
		if o.Err != "" {
			p.err = clip(o.Err)
		}
		doubt = doubt || o.Redelivered
	}
	if doubt {
		p.redeliveries++
	}
	return p
}

// advance applies the outcome of d to the plan's retry count, run-at and redeliveries.
func (p *plan) advance(d *Delivery, now time.Time) {
	o := d.outcome
	if len(p.kept) == 0 { // d and all before it are done or dead
		p.retry, p.redeliveries = -1, min(p.redeliveries, 1)
		if o.Kind == Dead {
			p.runAt = now.UnixMilli()
		}
		return
	}
	if o.Kind == Retry && d == p.kept[0] {
		p.retry++
	} else if o.Kind == Retry {
		p.retry = max(p.retry, 0)
	}
	if !o.At.IsZero() && (o.Kind == Retry || o.Kind == Return) {
		p.runAt = max(p.runAt, min(o.At.UnixMilli(), maxRunAt.UnixMilli()))
	}
}

// clip truncates an error text to maxErrorBytes.
func clip(s string) string { return clipAt(s, maxErrorBytes) }

// clipAt replaces invalid UTF-8 in a text, and truncates it to at most `most` bytes, without
// splitting a character.
func clipAt(s string, most int) string {
	s = strings.ToValidUTF8(s, "�")
	if len(s) <= most {
		return s
	}
	for !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}
