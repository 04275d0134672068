package queue

import (
	"context"
	"maps"
	"slices"
	"time"
)

// lateKey is a refused key that give.lua chose while the node that had fetched it may not yet have put
// it back into Redis.
type lateKey struct {
	lateAt
	key string
}

// lateAt holds the queue of a late key, and the Redis key with the refused keys of its limit.
type lateAt struct{ queue, refused string }

// How often a late key is made due, and the pause before each try. After some milliseconds the key is
// back or gone.
const (
	lateTries = 6
	latePause = 10 * time.Millisecond
)

// wake makes chosen keys due, and reports whether Redis had all of them. If some were missing, wakeLate
// tries again.
func (p *Permits) wake(ctx context.Context, at lateAt, keys []string) bool {
	n, err := p.perform(ctx, at, keys)
	if err != nil || n == len(keys) {
		return err == nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, key := range keys {
		p.late[lateKey{at, key}] = lateTries
	}
	kick(p.kick)
	return false
}

// wakeLate makes late keys due until ctx ends.
func (p *Permits) wakeLate(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.kick:
		}
		for lists := p.takeLate(); len(lists) > 0; lists = p.takeLate() {
			select {
			case <-ctx.Done():
				return
			case <-time.After(latePause):
			}
			for at, keys := range lists {
				_, _ = p.perform(ctx, at, keys) // after an error, the keys become due after their pause
			}
		}
	}
}

// perform makes those of the keys due that wait for the end of their refusal, and returns their number. A
// key that has requested a permit since it was chosen may wait for a retry, whose pause must not end
// early. So perform reads the times of the keys first, and Redis makes a key due only if its time is
// still the same.
func (p *Permits) perform(ctx context.Context, at lateAt, keys []string) (int, error) {
	list, err := p.client.Admin().Standings(ctx, at.queue, keys...)
	if err != nil {
		return 0, err
	}
	runAt := make(map[string]int64, len(keys))
	for i := range list {
		if list[i].Later {
			runAt[keys[i]] = list[i].runAt
		}
	}
	if len(runAt) == 0 {
		return 0, nil
	}
	return p.client.Admin().performNow(ctx, at.queue, p.stillChosen(ctx, at.refused, slices.Collect(maps.Keys(runAt))), runAt)
}

// stillChosen returns the keys that have not requested a permit since they were chosen.
func (p *Permits) stillChosen(ctx context.Context, refused string, keys []string) (list []string) {
	scores, _ := p.client.engine.rdb.ZMScore(ctx, refused, keys...).Result() // after an error there are no scores
	for i, score := range scores {
		if score < 0 {
			list = append(list, keys[i])
		}
	}
	return list
}

// takeLate returns the late keys for the next try, grouped by lateAt. It removes a key from p.late
// at the last try of the key.
func (p *Permits) takeLate() map[lateAt][]string {
	p.mu.Lock()
	defer p.mu.Unlock()
	lists := make(map[lateAt][]string)
	for l, tries := range p.late {
		lists[l.lateAt] = append(lists[l.lateAt], l.key)
		if p.late[l] = tries - 1; tries == 1 {
			delete(p.late, l)
		}
	}
	return lists
}
