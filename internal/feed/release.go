package feed

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/pending"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// release pushes the first held rows of keys for which Redis has room. It returns the number of HeldGroups
// with rows that were pushed or had ended. It also returns the keys that were left out, for lack of room
// or because Redis refused them.
func (f *Feeder) release(ctx context.Context, l lanes.Lane, keys, due []string) (int64, []string, error) {
	claim, err := f.lanes.ClaimLane(ctx, f.generation.Load().redis, l.ID, claimTTL, func(h lanes.Heads) lanes.Pick {
		fl := f.windows.lane(l.ID)
		if len(h.Repush) > 0 { // rows of a second feeding come first
			return lanes.Pick{}
		}
		room := min(f.opt.Chunk, h.Left, f.windows.maxInRedis(fl)-fl.inRedis)
		return lanes.Pick{Held: room > 0, Room: room}
	})
	if err != nil || claim.None() {
		return 0, keys, f.keepClaim(claim, err)
	}
	r := releasing{
		lane: l, claim: claim, keys: keys, due: due, left: map[string]bool{},
		until: map[string]int64{}, now: f.lanes.Now(),
	}
	n, fault := f.pushHeld(ctx, &r)
	f.windows.lane(l.ID).inRedis += n.pushed
	err = f.lanes.AdvanceLane(ctx, claim, n.steps, n.shift)
	if errors.Is(err, tasks.ErrClaimLost) { // Redis was emptied, or a task was canceled or is done
		return 0, keys, fault
	}
	if err != nil {
		return 0, nil, errors.Join(fault, f.keepClaim(claim, err))
	}
	failpoint.Hit("released")
	left := slices.Collect(maps.Keys(r.left))
	return int64(len(n.shift.Out)), left, errors.Join(fault, f.report(ctx, l, n.keys))
}

// releasing holds the state of one push of held rows.
type releasing struct {
	lane   lanes.Lane
	claim  lanes.LaneClaim
	keys   []string        // in the order in which they are served
	left   map[string]bool // keys without room, or that Redis refused
	groups []lanes.HeldGroup
	feeds  map[int64]lanes.Feed
	rows   map[events.ID]pending.Row
	keep   []int // by group: number of leading rows that are pushed or had ended
	gone   []int // by group: number of these rows that had ended
	limit  map[string]int

	due   []string         // keys whose delayed rows are due
	until map[string]int64 // by key: start time of the next row if it is not due
	now   int64            // the time of the ledger
}

// pushHeld pushes the first HeldGroups of the keys, up to the limit of each key. A key that Redis refuses
// does not delay others.
func (f *Feeder) pushHeld(ctx context.Context, r *releasing) (stepResult, error) {
	ctx, cancel := context.WithTimeout(ctx, pushTimeout)
	defer cancel()
	begun := time.Now()
	if err := f.loadHeld(ctx, r); err != nil {
		return stepResult{}, err
	}
	if err := f.attest(ctx, f.tasks.Witness()); err != nil {
		return stepResult{}, err
	}
	marks := f.generation.Load()
	jobs, at := r.jobs(marks.markFor(r.lane.Tenant))
	more, err := r.take(at, f.client.Push(ctx, jobs...))
	failpoint.Hit("pushed held")
	f.opt.OnPush(Pushed{Kind: r.lane.Kind, Jobs: r.pushedByTask(), Began: begun, Took: time.Since(begun)})
	n := r.note(more)
	if err != nil {
		err = fmt.Errorf("feed: held rows of lane %d: %w", r.lane.ID, err)
	}
	return n, err
}

// loadHeld reads the first HeldGroups of the keys, their rows and their tasks.
func (f *Feeder) loadHeld(ctx context.Context, r *releasing) (err error) {
	r.limit = map[string]int{}
	fl, now := f.windows.lane(r.claim.Lane), f.opt.Now()
	for _, key := range r.keys {
		r.limit[key] = f.windows.keyLimit(fl, key, now)
	}
	if r.groups, err = f.lanes.FirstGroups(ctx, r.claim.Lane, r.keys, r.limit); err != nil {
		return err
	}
	r.cut()
	ids, nums := []events.ID(nil), []int64(nil)
	for i, group := range r.groups {
		nums = append(nums, group.Num)
		for _, seq := range group.Seqs[:r.keep[i]] {
			ids = append(ids, events.NewID(group.Num, seq))
		}
	}
	if r.feeds, err = f.lanes.FeedsOf(ctx, nums); err != nil {
		return err
	}
	var last events.ID
	r.rows, last, err = f.pending.HeldRows(ctx, ids, chunkBytes)
	r.cutAt(last)
	if n := slices.Collect(maps.Values(r.rows)); len(n) > 0 {
		fl.bytes = meanBytes(n)
	}
	return err
}

// cut sets how many rows of each HeldGroup are pushed. The limit of each key bounds the rows of the key,
// and the room of the claim bounds the rows of all keys.
func (r *releasing) cut() {
	room, of := int(r.claim.Room), map[string]int{}
	r.keep, r.gone = make([]int, len(r.groups)), make([]int, len(r.groups))
	for i, group := range r.groups {
		if room == 0 && of[group.Key] == 0 {
			r.left[group.Key] = true
		}
		r.keep[i] = max(min(len(group.Seqs), r.limit[group.Key]-of[group.Key], room), 0)
		of[group.Key] += r.keep[i]
		room -= r.keep[i]
	}
}

// cutAt keeps only the rows up to `last`, the last row that was read. Of each key, it keeps the
// rows before the first delayed row that is not due. Once it drops a row, it also drops all later
// rows of the same key.
func (r *releasing) cutAt(last events.ID) {
	done, cut := map[string]int{}, map[string]bool{}
	for i, group := range r.groups {
		n := 0
		for !cut[group.Key] && n < r.keep[i] && events.NewID(group.Num, group.Seqs[n]) <= last && r.isDue(group, n) {
			n++
		}
		cut[group.Key] = cut[group.Key] || n < r.keep[i]
		r.keep[i] = n
		done[group.Key] += n
	}
	for key := range cut {
		if cut[key] && done[key] == 0 && r.until[key] == 0 {
			r.left[key] = true
		}
	}
}

// isDue reports whether row `n` of a HeldGroup has ended or may be pushed now. Otherwise isDue records the
// start time of the row.
func (r *releasing) isDue(group lanes.HeldGroup, n int) bool {
	row, waits := r.rows[events.NewID(group.Num, group.Seqs[n])]
	if !waits {
		return true
	}
	at := waitsUntil(&row.Event, r.now)
	if at > 0 {
		r.until[group.Key] = at
	}
	return at == 0
}

// heldAt is the position of a held row: the index of its HeldGroup, and its index in the HeldGroup.
type heldAt struct{ group, row int }

// jobs returns the jobs of the rows to push, and the position of each job. It leaves out rows at rest
// and rows of ended tasks.
func (r *releasing) jobs(mark string) (jobs []queue.Job, at []heldAt) {
	for i, group := range r.groups {
		feed, there := r.feeds[group.Num]
		for k, seq := range group.Seqs[:r.keep[i]] {
			row, waits := r.rows[events.NewID(group.Num, seq)]
			if !waits || !there {
				continue
			}
			again := row.Since >= 0
			job := withLimit(JobOf(feed, markOf(feed, mark, again), &row.Event), &row.Event, r.limit[group.Key])
			job.Redelivered = again || r.claim.Doubted
			jobs, at = append(jobs, job), append(at, heldAt{i, k})
		}
	}
	return jobs, at
}

// take cuts the HeldGroups of each key before the first job that Redis refused. The result `more` reports
// whether Redis may have rows that are not recorded as pushed. The result `fault` is nil if Redis
// refused jobs only because their keys are full, and otherwise `err`. The argument `at` holds the position
// of each job.
func (r *releasing) take(at []heldAt, err error) (more bool, fault error) {
	refused, all := refusedJobs(err)
	more = all || errors.Is(err, queue.ErrUnanswered)
	stopped, pushed := map[string]bool{}, make([]int, len(r.groups))
	for i, place := range at {
		key, why := r.groups[place.group].Key, refused[i]
		if why != nil && !errors.Is(why, queue.ErrKeyFull) || all {
			fault, r.left[key] = err, true
		}
		if more = more || stopped[key] && why == nil; stopped[key] || why != nil || all {
			stopped[key] = true
			r.keep[place.group] = min(r.keep[place.group], place.row)
			continue
		}
		pushed[place.group]++
	}
	for i := range r.groups {
		r.gone[i] = r.keep[i] - pushed[i]
	}
	return more, fault
}

// refusedJobs returns the errors of the jobs that Redis refused, by job index. The result `all`
// reports whether every job may have been refused.
func refusedJobs(err error) (out map[int]error, all bool) {
	var refused *queue.PushError
	if !errors.As(err, &refused) {
		return nil, err != nil
	}
	out = map[int]error{}
	for _, item := range refused.Items {
		out[item.Index] = item.Err
	}
	return out, false
}

// note returns the changes to store. Each HeldGroup loses its leading rows that are pushed or had ended.
// Keys without a HeldGroup are reported to Redis as done, with the limit 0. Keys in r.left are not
// reported.
func (r *releasing) note(more bool) stepResult {
	n := stepResult{keys: map[string]int{}, shift: lanes.Shift{Doubted: more, Limits: map[string]int{}}}
	for _, key := range r.keys {
		n.keys[key] = 0
	}
	held, pushed := map[int64]int64{}, map[int64]int64{}
	for i, group := range r.groups {
		n.keys[group.Key] = r.limit[group.Key]
		if r.keep[i] == 0 {
			continue
		}
		held[group.Num] -= int64(r.keep[i])
		pushed[group.Num] += int64(r.keep[i]-r.gone[i]) - r.resubmitted(i)
		n.pushed += int64(r.keep[i] - r.gone[i])
		n.shift.Limits[group.Key] = r.limit[group.Key]
		n.shift.Out = append(n.shift.Out, r.out(i))
	}
	for num, feed := range r.feeds {
		n.steps = append(n.steps, lanes.Step{Feed: feed, Held: held[num], Pushed: pushed[num], Doubted: feed.Doubted})
	}
	r.noteDue(&n.shift)
	for _, key := range r.keys {
		if r.left[key] {
			delete(n.keys, key)
		} else if n.keys[key] == 0 {
			n.shift.Empty = append(n.shift.Empty, key)
		}
	}
	return n
}

// resubmitted returns the number of pushed rows of HeldGroup `i` that had been resubmitted. They were
// counted as pushed when they were put among the held rows.
func (r *releasing) resubmitted(i int) (n int64) {
	group := r.groups[i]
	for _, seq := range group.Seqs[:r.keep[i]] {
		if row, ok := r.rows[events.NewID(group.Num, seq)]; ok && row.Since >= 0 {
			n++
		}
	}
	return n
}

// out returns the change that removes from HeldGroup `i` the rows that were pushed or had ended.
func (r *releasing) out(i int) lanes.GroupReplacement {
	group, out := r.groups[i], lanes.GroupReplacement{Group: r.groups[i]}
	if group.Seqs = group.Seqs[r.keep[i]:]; len(group.Seqs) > 0 {
		out.Rest = []lanes.HeldGroup{group}
	}
	return out
}

// pushedByTask returns the number of pushed rows by task id, for the tasks with such rows.
func (r *releasing) pushedByTask() map[string]int {
	out := map[string]int{}
	for i, group := range r.groups {
		if n := r.keep[i] - r.gone[i]; n > 0 {
			out[r.feeds[group.Num].TaskID] += n
		}
	}
	return out
}
