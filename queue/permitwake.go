package queue

import (
	"context"
	"maps"
	"slices"
	"time"
)

// lateKey is a refused key that give.lua has chosen, but that could not be made due yet. Its node may not
// have put it back into Redis yet.
type lateKey struct{ queue, key string }

// lateTry is the next attempt to make a lateKey due.
type lateTry struct {
	runAt int64         // the run-at with which the node puts the key back
	at    time.Time     // when the attempt is made
	pause time.Duration // before the attempt
}

// firstLatePause and lastLatePause are the first and the last pause before an attempt to make a lateKey
// due. Each pause is twice the pause before. The eight pauses last 2.55 s together: another job of the
// same batch may delay the return of the key that long.
const (
	firstLatePause = 10 * time.Millisecond
	lastLatePause  = 1280 * time.Millisecond
)

// wake makes each key of the map due if the key still has the run-at in the map, and reports whether all
// keys became due. If not all did, wakeLate tries all of them again. A key with another run-at stays
// unchanged: it may wait for a retry, whose pause must not end early. After an error, the result is
// false, and the keys become due at their run-at.
func (p *Permits) wake(ctx context.Context, queue string, runAt map[string]int64) bool {
	n, err := p.client.Admin().performNow(ctx, queue, slices.Sorted(maps.Keys(runAt)), runAt)
	if err != nil || n == len(runAt) {
		return err == nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, at := range runAt {
		p.late[lateKey{queue, key}] = lateTry{at, time.Now().Add(firstLatePause), firstLatePause}
	}
	kick(p.kick)
	return false
}

// wakeLate tries to make the keys in p.late due until ctx ends.
func (p *Permits) wakeLate(ctx context.Context) {
	for {
		lists, pause := p.takeLate(time.Now())
		for queue, runAt := range lists {
			// After an error, the keys become due at their run-at.
			_, _ = p.client.Admin().performNow(ctx, queue, slices.Sorted(maps.Keys(runAt)), runAt)
		}
		var next <-chan time.Time
		if pause > 0 {
			next = time.After(pause)
		}
		select {
		case <-ctx.Done():
			return
		case <-p.kick:
		case <-next:
		}
	}
}

// takeLate returns the run-ats of the keys in p.late whose attempt is due, by queue and key. It also
// returns the pause until the next attempt, or 0 if no further attempt is planned. It removes a key from
// p.late at the last attempt.
func (p *Permits) takeLate(now time.Time) (lists map[string]map[string]int64, pause time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	lists = make(map[string]map[string]int64)
	for l, try := range p.late {
		if !try.at.After(now) {
			if lists[l.queue] == nil {
				lists[l.queue] = make(map[string]int64)
			}
			lists[l.queue][l.key] = try.runAt
			if try.pause >= lastLatePause {
				delete(p.late, l)
				continue
			}
			try.pause *= 2
			try.at = now.Add(try.pause)
			p.late[l] = try
		}
		if left := try.at.Sub(now); pause == 0 || left < pause {
			pause = left
		}
	}
	return lists, pause
}
