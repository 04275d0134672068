package lanes

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/hold_group.sql
	holdGroupSQL string
	//go:embed sql/drop_group.sql
	dropGroupSQL string
	//go:embed sql/hold_key.sql
	holdKeySQL string
	//go:embed sql/drop_key.sql
	dropKeySQL string
	//go:embed sql/note_key.sql
	noteKeySQL string
	//go:embed sql/hold_place.sql
	holdPlaceSQL string
	//go:embed sql/doubt_held.sql
	doubtHeldSQL string
	//go:embed sql/stirred.sql
	stirredSQL string
)

// reportSoon is the longest time from a push that changes held rows to the next report to Redis. The
// report has all keys with held rows of the lane.
const reportSoon = 30 * time.Second

// Shift holds the changes that a push makes to the held rows of a lane. The type Step has the changed
// counts of the tasks.
type Shift struct {
	Out         []GroupReplacement // groups that are replaced
	In          []HeldGroup        // new groups; Place counts from 1, after all places of the lane
	Resubmitted []PushedRow        // resubmitted rows that are newly held, in groups of In or of Out.Rest
	Redis       string             // Generations.Redis when the rows of Resubmitted were read
	Limit       int                // limit of rows in Redis for keys that get their first group
	Limits      map[string]int     // limit of each key of Out
	Empty       []string           // keys that may be left without groups

	// Delayed holds, for keys in the field In, the time in unix ms at which the first row of the key may
	// be pushed. A key that had held rows before keeps its time.
	Delayed map[string]int64

	// Due holds the time in unix ms at which the first row of a key may be pushed. Its keys are not in
	// the field In. The time is 0 once the first row was pushed, and Reread if the first row must be
	// read again.
	Due map[string]int64

	Doubted bool // an unrecorded push may have brought rows of In, or of other groups, to Redis
}

// PushedRow is a resubmitted row of a task.
type PushedRow struct {
	Num int64
	Pushed
}

// GroupReplacement is the replacement of a group of held rows by the groups of Rest. If the ledger no
// longer has the group, only the groups of other tasks in Rest are stored.
type GroupReplacement struct {
	Group HeldGroup
	Rest  []HeldGroup // with their places
}

func (sh Shift) empty() bool {
	return len(sh.Out)+len(sh.In)+len(sh.Empty)+len(sh.Due) == 0 && !sh.Doubted
}

// withoutLost returns the shift without the new groups and resubmitted rows of the tasks whose Step was
// not stored.
func (sh Shift) withoutLost(steps []Step, noted []bool) Shift {
	lost := map[int64]bool{}
	for i, step := range steps {
		lost[step.Feed.Num] = !noted[i]
	}
	sh.In = slices.DeleteFunc(slices.Clone(sh.In), func(g HeldGroup) bool { return lost[g.Num] })
	sh.Resubmitted = slices.DeleteFunc(slices.Clone(sh.Resubmitted), func(g PushedRow) bool { return lost[g.Num] })
	return sh
}

// places returns the highest place of the new groups of held rows, or 0. The last place of the lane grows
// by this number.
func (sh Shift) places() (n int64) {
	for _, g := range sh.In {
		n = max(n, g.Place)
	}
	return n
}

// writeShift writes a shift of a lane, which the caller has locked.
func (s *Store) writeShift(ctx context.Context, tx ledger.Tx, lane int64, sh Shift) error {
	if sh.empty() {
		return nil
	}
	rest, err := s.takeOut(ctx, tx, lane, sh.Out)
	if err != nil {
		return err
	}
	// The places of the lane are updated first, because the places of new groups count back from the
	// last place.
	places := sh.places()
	if err := s.givePlaces(ctx, tx, lane, places, sh.Doubted); err != nil {
		return err
	}
	for _, g := range sh.In {
		rest = append(rest, groupArgs(lane, g, 0, places-g.Place))
	}
	if _, err := ledger.ExecEach(ctx, tx, holdGroupSQL, rest); err != nil {
		return err
	}
	if err := s.noteKeys(ctx, tx, lane, sh); err != nil {
		return err
	}
	if err := s.noteBackHeld(ctx, tx, sh); err != nil {
		return err
	}
	return s.givePlaces(ctx, tx, lane, 0, sh.Doubted)
}

// noteBackHeld records that resubmitted rows are held, so that they are fed with the other rows of
// their key.
func (s *Store) noteBackHeld(ctx context.Context, tx ledger.Tx, sh Shift) error {
	byTask := map[int64][]Pushed{}
	for _, row := range sh.Resubmitted {
		byTask[row.Num] = append(byTask[row.Num], row.Pushed)
	}
	for _, num := range slices.Backward(slices.Sorted(maps.Keys(byTask))) {
		if err := notePushed(ctx, tx, num, sh.Redis, byTask[num]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) givePlaces(ctx context.Context, tx ledger.Tx, lane, places int64, doubted bool) error {
	args := ledger.Args{"lane": lane, "places": places, "doubted": doubted, "soon": s.now().Add(reportSoon).UnixMilli()}
	_, err := tx.Exec(ctx, holdPlaceSQL, args)
	return err
}

// takeOut removes the groups that a shift replaces. It returns the arguments of hold_group.sql for the
// groups that replace them.
func (s *Store) takeOut(ctx context.Context, tx ledger.Tx, lane int64, list []GroupReplacement) (rest []ledger.Args, err error) {
	drops := make([]ledger.Args, len(list))
	for i, o := range list {
		drops[i] = ledger.Args{"lane": lane, "key": o.Group.Key, "place": o.Group.Place, "first": o.Group.first()}
	}
	there, err := ledger.ExecEach(ctx, tx, dropGroupSQL, drops)
	if err != nil {
		return nil, err
	}
	for i, o := range list {
		for _, g := range o.Rest {
			if there[i] > 0 || g.Num != o.Group.Num {
				rest = append(rest, groupArgs(lane, g, g.Place, 0))
			}
		}
	}
	return rest, nil
}

func groupArgs(lane int64, g HeldGroup, place, behind int64) ledger.Args {
	return ledger.Args{
		"lane": lane, "key": g.Key, "place": place, "behind": behind, "num": g.Num,
		"first": g.first(), "last": g.last(), "rows": int64(len(g.Seqs)), "seqs": g.formatSeqs(),
	}
}

// keysIn returns the keys that get groups of held rows.
func (sh Shift) keysIn() []string {
	var keys []string
	for _, g := range sh.In {
		keys = append(keys, g.Key)
	}
	return keys
}

// keysOut returns the keys that lose groups, or may have none left.
func (sh Shift) keysOut() []string {
	keys := slices.Clone(sh.Empty)
	for _, o := range sh.Out {
		keys = append(keys, o.Group.Key)
	}
	return keys
}

// noteKeys stores the keys that have got groups of held rows, and removes keys that have none left.
// It also stores how many rows of each key Redis may have, and the start times in sh.Due.
func (s *Store) noteKeys(ctx context.Context, tx ledger.Tx, lane int64, sh Shift) error {
	if err := execEachKey(ctx, tx, holdKeySQL, lane, sh.keysIn(), sh.held); err != nil {
		return err
	}
	if err := execEachKey(ctx, tx, dropKeySQL, lane, sh.keysOut(), func(string) ledger.Args { return nil }); err != nil {
		return err
	}
	keys := slices.Sorted(maps.Keys(sh.Limits))
	err := execEachKey(ctx, tx, noteKeySQL, lane, keys, func(key string) ledger.Args {
		return ledger.Args{"most": int64(sh.Limits[key])}
	})
	if err != nil || len(sh.Due) == 0 {
		return err
	}
	return s.noteDue(ctx, tx, lane, sh.Due)
}

// held returns the values to store for a key that gets its first group of held rows. If the first row
// waits for its start time, Redis has no row of the key, so the stored limit is 1.
func (sh Shift) held(key string) ledger.Args {
	most, due := int64(sh.Limit), sh.Delayed[key]
	if due > 0 {
		most = 1
	}
	return ledger.Args{"most": most, "due": due}
}

// execEachKey runs a statement once for each different key of `keys`. The arguments of the statement are
// the lane, the key, and those that the function `of` returns for the key.
func execEachKey(
	ctx context.Context, tx ledger.Tx, text string, lane int64, keys []string, of func(string) ledger.Args,
) error {
	var list []ledger.Args
	seen := map[string]bool{}
	for _, key := range keys {
		if !seen[key] {
			args := ledger.Args{"lane": lane, "key": key}
			maps.Copy(args, of(key))
			list = append(list, args)
		}
		seen[key] = true
	}
	_, err := ledger.ExecEach(ctx, tx, text, list)
	return err
}

// SetHeldReported records that a feeder has finished a scan of a lane, in which it has reported to Redis
// each key with held rows. The scan leaves out keys that wait for a start time. The argument `after` is the
// time until the next scan, in milliseconds. The argument `stirAt` is Lane.ReportAt at the start of the
// scan. If Lane.ReportAt has changed since, for example by a resume, SetHeldReported is a no-op and the
// next scan stays due.
func (s *Store) SetHeldReported(ctx context.Context, lane, stirAt, after int64) error {
	args := ledger.Args{"lane": lane, "was": stirAt, "at": s.now().UnixMilli() + after}
	if _, err := s.db.Writer().Exec(ctx, stirredSQL, args); err != nil {
		return fmt.Errorf("lanes: keys of lane %d are reported: %w", lane, err)
	}
	return nil
}
