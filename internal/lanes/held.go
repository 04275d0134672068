package lanes

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"maps"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/held_keys.sql
	heldKeysSQL string
	//go:embed sql/ready_keys.sql
	readyKeysSQL string
	//go:embed sql/held_page.sql
	heldPageSQL string
	//go:embed sql/first_runs.sql
	firstRunsSQL string
	//go:embed sql/runs_of_keys.sql
	runsOfKeysSQL string
	//go:embed sql/runs_within.sql
	runsWithinSQL string
)

// HeldKeys returns which of the given keys have held rows in the lane.
func (s *Store) HeldKeys(ctx context.Context, lane int64, keys []string) (map[string]bool, error) {
	return s.keySet(ctx, heldKeysSQL, lane, keys)
}

// ReadyKeys returns which of the given keys have a row in a held run that can be pushed now. It
// ignores keys and tasks that are not due, and tasks that are paused, canceled or on hold.
func (s *Store) ReadyKeys(ctx context.Context, lane int64, keys []string) (map[string]bool, error) {
	return s.keySet(ctx, readyKeysSQL, lane, keys)
}

func (s *Store) keySet(ctx context.Context, text string, lane int64, keys []string) (map[string]bool, error) {
	list, err := s.keys(ctx, text, ledger.Args{"lane": lane, "keys": keys})
	out := make(map[string]bool, len(list))
	for _, key := range list {
		out[key] = true
	}
	return out, err
}

// HeldPage returns up to `limit` keys of a lane that have held rows. They are sorted, and begin
// after the key in the argument `after`. It leaves out keys with a due time, which DueKeys returns.
func (s *Store) HeldPage(ctx context.Context, lane int64, after string, limit int) ([]string, error) {
	return s.keys(ctx, heldPageSQL, ledger.Args{"lane": lane, "after": after, "most": limit})
}

func (s *Store) keys(ctx context.Context, text string, args ledger.Args) ([]string, error) {
	var out []string
	args["now"] = s.Now()
	err := s.db.Probe(ctx, func(tx ledger.Tx) (err error) {
		out, err = ledger.List(ctx, tx, text, args, func(scan ledger.Scan, key *string) error { return scan(key) })
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("lanes: keys of held rows: %w", err)
	}
	return out, nil
}

// keyRuns is the greatest number of runs of a key that FirstRuns returns.
const keyRuns = 16

// FirstRuns returns the first runs of some keys of a lane, in the order of the argument `keys`, and
// within a key in feeding order. The argument `want` holds a number of rows for each key. FirstRuns
// returns the first run of a key, or up to keyRuns runs if the first has fewer rows than this
// number. It leaves out runs of tasks that are paused, canceled, on hold or not due.
func (s *Store) FirstRuns(ctx context.Context, lane int64, keys []string, want map[string]int) ([]HeldRun, error) {
	first, err := s.runs(ctx, firstRunsSQL, ledger.Args{"lane": lane, "keys": keys, "runs": 1})
	if err != nil {
		return nil, err
	}
	short := map[string]bool{}
	for _, run := range first {
		if len(run.Seqs) < want[run.Key] {
			short[run.Key] = true
		}
	}
	if len(short) == 0 {
		return sortRuns(first, keys), nil
	}
	// One statement reads all runs of a key, since tasks may be paused or resumed between two
	// statements.
	args := ledger.Args{"lane": lane, "keys": slices.Collect(maps.Keys(short)), "runs": keyRuns}
	more, err := s.runs(ctx, firstRunsSQL, args)
	out := slices.DeleteFunc(first, func(r HeldRun) bool { return short[r.Key] })
	return sortRuns(append(out, more...), keys), err
}

// sortRuns sorts runs by the order of their keys, and then in feeding order.
func sortRuns(runs []HeldRun, keys []string) []HeldRun {
	at := make(map[string]int, len(keys))
	for i, key := range keys {
		at[key] = i
	}
	slices.SortFunc(runs, func(a, b HeldRun) int {
		return cmp.Or(cmp.Compare(at[a.Key], at[b.Key]), cmp.Compare(a.Place, b.Place), cmp.Compare(a.first(), b.first()))
	})
	return runs
}

// Runs returns all runs of some keys of a lane, key by key in the order of feeding.
func (s *Store) Runs(ctx context.Context, lane int64, keys []string) ([]HeldRun, error) {
	return s.runs(ctx, runsOfKeysSQL, ledger.Args{"lane": lane, "keys": keys})
}

// RunsWithin returns the runs of some keys that overlap the seqs from `low` to `high` of a task.
// Such a run may have no row in this range.
func (s *Store) RunsWithin(ctx context.Context, f Feed, keys []string, low, high int64) ([]HeldRun, error) {
	return s.runs(ctx, runsWithinSQL, ledger.Args{
		"lane": f.Lane, "keys": keys, "low": f.Num<<32 | low, "high": f.Num<<32 | high,
	})
}

func (s *Store) runs(ctx context.Context, text string, args ledger.Args) ([]HeldRun, error) {
	var out []HeldRun
	err := s.db.Probe(ctx, func(tx ledger.Tx) (err error) {
		out, err = ledger.List(ctx, tx, text, args, scanRun)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("lanes: held rows: %w", err)
	}
	return out, nil
}
