package tasks

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

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

// RunRows is the most rows of a run.
const RunRows = 256

// HeldRun is held rows of one key and one task, in file order. Held rows are below the position
// of their task and not in Redis, which has enough rows of their key.
type HeldRun struct {
	Key   string
	Place int64 // of two runs of a key, the one with the lesser place, then task, then seq comes first
	Num   int64 // of the task
	Seqs  []int64
}

// first is the id of the first row.
func (r HeldRun) first() int64 { return r.Num<<32 | r.Seqs[0] }

// last is the id of the last row.
func (r HeldRun) last() int64 { return r.Num<<32 | r.Seqs[len(r.Seqs)-1] }

// seqs prints the numbers of the rows, each as the difference from the one before.
func (r HeldRun) seqs() string {
	var out []byte
	last := int64(0)
	for _, seq := range r.Seqs {
		out = strconv.AppendInt(append(out, ','), seq-last, 10)
		last = seq
	}
	return string(out[1:])
}

// parseRun reads a run as it is stored.
func parseRun(key string, place, first int64, seqs string) (HeldRun, error) {
	r, last := HeldRun{Key: key, Place: place, Num: first >> 32}, int64(0)
	for text := range strings.SplitSeq(seqs, ",") {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return r, fmt.Errorf("tasks: run of %d: %w", first, err)
		}
		last += n
		r.Seqs = append(r.Seqs, last)
	}
	return r, nil
}

// HeldKeys returns those of some keys of a lane that have held rows.
func (s *Store) HeldKeys(ctx context.Context, lane int64, keys []string) (map[string]bool, error) {
	return s.keySet(ctx, heldKeysSQL, lane, keys)
}

// ReadyKeys returns those of some keys of a lane that have held rows to push. Rows of tasks
// that are paused, canceled, held or not due do not count.
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

// HeldPage returns up to most keys of a lane that have held rows, behind one.
func (s *Store) HeldPage(ctx context.Context, lane int64, after string, most int) ([]string, error) {
	return s.keys(ctx, heldPageSQL, ledger.Args{"lane": lane, "after": after, "most": most})
}

func (s *Store) keys(ctx context.Context, text string, args ledger.Args) ([]string, error) {
	var out []string
	err := s.db.Probe(ctx, func(tx ledger.Tx) (err error) {
		out, err = ledger.List(ctx, tx, text, args, func(scan ledger.Scan, key *string) error { return scan(key) })
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("tasks: keys of held rows: %w", err)
	}
	return out, nil
}

// keyRuns is the most runs of a key that FirstRuns returns.
const keyRuns = 16

// FirstRuns returns the first runs of some keys of a lane, in the order of keys and, of each,
// in feeding order. Each key gets enough runs for the wanted number of rows, but at most
// keyRuns. Runs of tasks that are paused, canceled, held or not due are left out.
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
		return inOrder(first, keys), nil
	}
	// The runs of a key come from one statement: tasks may be paused or resumed meanwhile.
	args := ledger.Args{"lane": lane, "keys": slices.Collect(maps.Keys(short)), "runs": keyRuns}
	more, err := s.runs(ctx, firstRunsSQL, args)
	out := slices.DeleteFunc(first, func(r HeldRun) bool { return short[r.Key] })
	return inOrder(append(out, more...), keys), err
}

// inOrder sorts runs by the order of their keys, and then by that of feeding.
func inOrder(runs []HeldRun, keys []string) []HeldRun {
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

// RunsWithin returns the runs of some keys that have rows of a task from one seq to another.
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
		return nil, fmt.Errorf("tasks: held rows: %w", err)
	}
	return out, nil
}

func scanRun(scan ledger.Scan, r *HeldRun) error {
	var key, seqs string
	var place, first int64
	err := scan(&key, &place, &first, &seqs)
	if err == nil {
		*r, err = parseRun(key, place, first, seqs)
	}
	return err
}
