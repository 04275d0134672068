package tasks

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/add_child.sql
	addChildSQL string
	//go:embed sql/set_parent.sql
	setParentSQL string
	//go:embed sql/release_key.sql
	releaseKeySQL string
	//go:embed sql/has_key.sql
	hasKeySQL string
)

// maxDepth is the maximum number of ancestors of a task. The end of the last child also ends its parent;
// the maximum bounds this chain.
const maxDepth = 10

// createTries is the number of attempts to insert a task while other tasks take and lose its
// deduplication key.
const createTries = 5

var errKeyMoves = errors.New("other tasks repeatedly took and released the deduplication key")

// AddUnlessDuplicate adds a task unless another task has its deduplication key. The function `insert`
// adds the task if the key is free, and reports whether it did. If another task has the key,
// AddUnlessDuplicate returns that task, with only Num and ID set. Without a key, AddUnlessDuplicate only
// calls insert. After createTries attempts it returns errKeyMoves.
func (s *Store) AddUnlessDuplicate(ctx context.Context, tx ledger.Tx, once Dedup, insert func() (added bool, err error)) (old *Task, err error) {
	if once.Key == "" {
		_, err := insert()
		return nil, err
	}
	for range createTries {
		if err := s.releaseKey(ctx, tx, once); err != nil {
			return nil, err
		}
		if added, err := insert(); added || err != nil {
			return nil, err
		}
		old := &Task{}
		found, err := ledger.Row(ctx, tx, hasKeySQL, ledger.Args{"key": once.Key}, &old.Num, &old.ID)
		if found || err != nil {
			return old, err
		}
	}
	return nil, errKeyMoves
}

// releaseKey removes the deduplication key from a task that no longer counts as a duplicate.
func (s *Store) releaseKey(ctx context.Context, tx ledger.Tx, once Dedup) error {
	ended := 0
	if once.Ended {
		ended = 1
	}
	_, err := tx.Exec(ctx, releaseKeySQL, ledger.Args{
		"key": once.Key, "since": s.now().Add(-once.Window).UnixMilli(), "ended": ended,
	})
	return err
}

// Adopt makes `t` a child of the task t.ParentID, if t.ParentID is set. The transaction must have added
// `t` before. Adopt locks the child before the parent, in the same order as the end of a task. It
// returns ErrParent if the parent cannot have a child.
func (s *Store) Adopt(ctx context.Context, tx ledger.Tx, t *Task) error {
	if t.ParentID == "" {
		return nil
	}
	if len(t.After) > 0 { // before the parent is locked, since another such transaction may wait for the parent
		if _, err := tx.Exec(ctx, lockAfterSQL, nil); err != nil {
			return err
		}
	}
	var depth int
	found, err := ledger.Row(ctx, tx, addChildSQL, ledger.Args{
		"parent": t.ParentID, "tenant": t.Tenant, "most": maxDepth,
	}, &t.Parent, &depth)
	if err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("parent %q: %w", t.ParentID, ErrParent)
	}
	t.Depth = depth + 1
	_, err = tx.Exec(ctx, setParentSQL, ledger.Args{"num": t.Num, "parent": t.Parent, "depth": t.Depth})
	return err
}
