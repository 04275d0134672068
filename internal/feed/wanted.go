package feed

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/queue"
)

// maxWantedKeys is how many wanted keys of each kind one poll reads at most. Tests lower it.
var maxWantedKeys = 500

// heldPage is the maximum number of keys with held rows that the feeder reports to Redis each time it
// serves a lane.
const heldPage = 500

// roomWait is how long the keys of a resumed task wait for room in the window of their lane. After this
// time the next keys are reported even without room. The rows that fill the window may belong to few keys.
const roomWait = 5 * time.Second

// reportEvery is the interval at which all keys with held rows are reported to Redis, except keys that wait
// for a start time. If Redis has lost a wanted key, the rows of the key are delayed by at most this
// interval. After a step that changes held rows, the next report follows within 30 s. The feeder may have
// ended before it reported the keys of this step.
const reportEvery = 10 * time.Minute

// wantedKeys holds the keys with held rows for which Redis has room.
type wantedKeys struct {
	keys map[int64][]string // by lane, the key with the longest wait first
	full map[string]bool    // kinds that may have more wanted keys than were read
}

// readWanted reads which keys of the lanes have room in Redis again, by lane. If the rows of a key must not
// be pushed now, readWanted reports the key as done. The feeder reports the key again when its rows may be
// pushed.
func (f *Feeder) readWanted(ctx context.Context, active []lanes.Lane) (wantedKeys, error) {
	byKind := withHeld(active)
	out := wantedKeys{keys: map[int64][]string{}, full: map[string]bool{}}
	var faults []error
	for kind, of := range byKind {
		names, err := f.client.Wanted(ctx, kind, maxWantedKeys)
		faults = append(faults, err)
		out.full[kind] = len(names) == maxWantedKeys
		var strange []string
		for _, name := range names {
			if l, key, ok := laneOfKey(of, name); ok {
				out.keys[l.ID] = append(out.keys[l.ID], key)
			} else {
				strange = append(strange, name)
			}
		}
		faults = append(faults, f.reportDone(ctx, kind, strange))
	}
	return out, errors.Join(faults...)
}

// withHeld returns the lanes whose held rows may be pushed, by kind and tenant.
func withHeld(active []lanes.Lane) map[string]map[string]lanes.Lane {
	out := map[string]map[string]lanes.Lane{}
	for _, l := range active {
		if l.HeldKeys > 0 && !l.Paused {
			if out[l.Kind] == nil {
				out[l.Kind] = map[string]lanes.Lane{}
			}
			out[l.Kind][l.Tenant] = l
		}
	}
	return out
}

// reportDone reports the named keys to Redis as keys without more jobs. Another feeder may have stored and
// reported held rows of these keys since the last poll. reportDone therefore reads the ledger again, and
// reports the keys that have rows to push.
func (f *Feeder) reportDone(ctx context.Context, kind string, names []string) error {
	if len(names) == 0 {
		return nil
	}
	refills := make([]queue.Refill, len(names))
	for i, name := range names {
		refills[i].Key = name
	}
	if err := f.client.ReportRefills(ctx, kind, refills...); err != nil {
		return err
	}
	active, err := f.lanes.Lanes(ctx)
	if err != nil {
		return err
	}
	of, limits := withHeld(active)[kind], map[lanes.Lane]map[string]int{}
	for _, name := range names {
		if l, key, ok := laneOfKey(of, name); ok {
			if limits[l] == nil {
				limits[l] = map[string]int{}
			}
			limits[l][key] = f.windows.limit(f.windows.lane(l.ID))
		}
	}
	for l, keys := range limits {
		if err := f.report(ctx, l, keys); err != nil {
			return err
		}
	}
	return nil
}

// laneOfKey returns the lane and the key of a name made by QueueKey. The result `ok` is false if
// the lane is not in the argument `active`.
func laneOfKey(active map[string]lanes.Lane, name string) (lane lanes.Lane, key string, ok bool) {
	for i := range len(name) {
		if name[i] != '/' {
			continue
		}
		if lane, ok = active[name[:i]]; ok {
			return lane, name[i+1:], true
		}
	}
	return lanes.Lane{}, "", false
}

// putOff reports to Redis the keys whose rows were not pushed, for example for lack of room. Redis then
// lists them after all other wanted keys, so the next poll reads the keys of other lanes.
func (f *Feeder) putOff(ctx context.Context, l lanes.Lane, keys []string) error {
	limits := make(map[string]int, len(keys))
	for _, key := range keys {
		limits[key] = f.windows.limit(f.windows.lane(l.ID))
	}
	return f.report(ctx, l, limits)
}

// report sends keys of a lane to Redis, with their limits. A key with held rows that may be pushed
// is wanted again when at most half of its limit waits. Any other key is reported as done. When a
// paused lane resumes, all its keys are reported again.
func (f *Feeder) report(ctx context.Context, l lanes.Lane, keys map[string]int) error {
	if len(keys) == 0 {
		return nil
	}
	list := make([]string, 0, len(keys))
	for key := range keys {
		list = append(list, key)
	}
	held, err := f.lanes.ReadyKeys(ctx, l.ID, list)
	if err != nil {
		return err
	}
	refills := make([]queue.Refill, 0, len(list))
	for _, key := range list {
		r := queue.Refill{Key: l.Tenant + "/" + key}
		if held[key] {
			r.Limit = keys[key]
		}
		refills = append(refills, r)
	}
	if err := f.client.ReportRefills(ctx, l.Kind, refills...); err != nil {
		return err
	}
	return f.reportAgain(ctx, l, refills)
}

// reportAgain reports each key that was just reported as done, but has held rows to push in the ledger.
// Another feeder may have stored these rows and reported the key before it was reported as done.
func (f *Feeder) reportAgain(ctx context.Context, l lanes.Lane, reported []queue.Refill) error {
	var done []string
	for _, r := range reported {
		if r.Limit == 0 {
			done = append(done, strings.TrimPrefix(r.Key, l.Tenant+"/"))
		}
	}
	if len(done) == 0 {
		return nil
	}
	held, err := f.lanes.ReadyKeys(ctx, l.ID, done)
	if err != nil || len(held) == 0 {
		return err
	}
	var again []queue.Refill
	for key := range held {
		again = append(again, queue.Refill{Key: l.Tenant + "/" + key, Limit: f.windows.limit(f.windows.lane(l.ID))})
	}
	return f.client.ReportRefills(ctx, l.Kind, again...)
}

// heldPageSize returns the size of the next page of keys with held rows that is reported to Redis. After
// a resume all these keys are reported, and Redis may have no rows of them. The page is then bounded by
// the room in the window: each key needs room for as many rows as its limit. A key that was reported
// before counts as at most one waiting row. After roomWait without room, the whole window counts as room.
func (p *windows) heldPageSize(fl *laneWindow, l lanes.Lane, now time.Time) int {
	if !l.ReportAll {
		return heldPage
	}
	window := min(fl.window, p.maxInRedis(fl), orUnlimited(fl.tenant))
	room := window - min(max(l.Waiting, 0), fl.reported)
	if room <= 0 && now.Sub(fl.page) < roomWait {
		return 0
	} else if room <= 0 {
		room = window
	}
	return int(min(max(room/int64(p.limit(fl)), 1), heldPage))
}

// reportHeldKeys reports the next page of keys with held rows of a lane to Redis, if a report is due.
// It returns the number of these keys.
func (f *Feeder) reportHeldKeys(ctx context.Context, l lanes.Lane) (int64, error) {
	fl := f.windows.lane(l.ID)
	if fl.stirAt != l.ReportAt { // the keys have to be reported again, or another feeder has reported them
		fl.stirAt, fl.stir, fl.reported = l.ReportAt, "", 0
	}
	if l.HeldKeys == 0 || fl.stirred && !l.ReportDue && fl.stir == "" {
		return 0, nil
	}
	size := f.windows.heldPageSize(fl, l, f.opt.Now())
	if size == 0 {
		return 0, nil
	}
	page, err := f.lanes.HeldPage(ctx, l.ID, fl.stir, size)
	if err != nil {
		return 0, err
	}
	keys := make(map[string]int, len(page))
	for _, key := range page {
		keys[key] = f.windows.limit(fl)
	}
	if err := f.report(ctx, l, keys); err != nil {
		return 0, err
	}
	if fl.reported, fl.page = fl.reported+int64(len(page)), f.opt.Now(); len(page) == size {
		fl.stir = page[len(page)-1]
		return int64(len(page)), nil
	}
	fl.stir, fl.stirred, fl.reported = "", true, 0
	return int64(len(page)), f.lanes.SetHeldReported(ctx, l.ID, fl.stirAt, reportEvery.Milliseconds())
}
