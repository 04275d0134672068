package decisions

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/holders.sql
	holdersSQL string
	//go:embed sql/keyed.sql
	keyedSQL string
)

// Holder is a row that holds a key.
type Holder struct {
	ID  events.ID
	Row int
	Key string

	Version *int64 // nil without one
}

// Holders returns the rows of a task that hold one of the keys under a rule, in file order. A row that a user
// has skipped or accepted does not hold its key. The same is true for a row that is invalid or superseded
// because another row holds the key. Under FirstRow and LatestRow, it is also true for an invalid row that
// has never run.
func (s *Store) Holders(ctx context.Context, num int64, lane events.Lane, rule KeyRule, keys []string) (out []Holder, err error) {
	if out, err = holders(ctx, s.db.Reader(), num, lane, rule, keys); err != nil {
		return nil, fmt.Errorf("decisions: holders of keys of task %d: %w", num, err)
	}
	return out, nil
}

func holders(
	ctx context.Context, tx ledger.Tx, num int64, lane events.Lane, rule KeyRule, keys []string,
) (out []Holder, err error) {
	err = keyed(ctx, tx, holdersSQL, wantKeys(num, lane, keys), func(e events.Event) {
		if rule.counts(&e) {
			out = append(out, Holder{e.ID, e.Row, e.Key, e.Score})
		}
	})
	return out, err
}

// keySearch holds the keys of a search: as arguments of a statement, and by hash.
type keySearch struct {
	args   ledger.Args
	byHash map[int64]string
}

func wantKeys(num int64, lane events.Lane, keys []string) keySearch {
	w, hashes := keySearch{byHash: map[int64]string{}}, make([]int64, len(keys))
	for i, key := range keys {
		hashes[i] = lane.Hash(key)
		w.byHash[hashes[i]] = key
	}
	w.args = ledger.Args{
		"low": int64(events.NewID(num, 0)), "high": int64(events.NewID(num+1, 0)), "keys": keys, "hashes": hashes,
	}
	return w
}

// keyed calls the function `take` for each row of a task that has one of the searched keys, in file order.
// It loads only the fields that the methods of KeyRule need. If the contents of a row were deleted, it
// finds the key by the hash.
func keyed(ctx context.Context, tx ledger.Tx, text string, want keySearch, take func(events.Event)) error {
	return tx.Query(ctx, text, want.args, func(scan ledger.Scan) error {
		var e events.Event
		err := scan(&e.ID, &e.Row, &e.Key, &e.KeyHash, &e.Status, &e.Attempt, &e.Code, &e.Fields, &e.Resolution, &e.Score)
		if e.Key == "" {
			e.Key = want.byHash[e.KeyHash]
		}
		if err == nil {
			take(e)
		}
		return err
	})
}
