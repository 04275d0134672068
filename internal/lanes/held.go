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
	//go:embed sql/first_groups.sql
	firstGroupsSQL string
	//go:embed sql/groups_of_keys.sql
	groupsOfKeysSQL string
	//go:embed sql/groups_within.sql
	groupsWithinSQL string
)

// HeldKeys returns which of the given keys have held rows in the lane.
func (s *Store) HeldKeys(ctx context.Context, lane int64, keys []string) (map[string]bool, error) {
	return s.keySet(ctx, heldKeysSQL, lane, keys)
}

// ReadyKeys returns which of the given keys have a held row that can be pushed now. It ignores keys
// and tasks whose start time has not come, and tasks that are paused, canceled or on hold.
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

// keyGroups is the greatest number of groups of a key that FirstGroups returns.
const keyGroups = 16

// FirstGroups returns the first groups of some keys of a lane, in the order of the argument `keys`,
// and within a key in feeding order. The argument `want` holds a number of rows for each key.
// FirstGroups returns the first group of a key, or up to keyGroups groups if the first group has
// fewer rows than this number. It leaves out groups of tasks that are paused, canceled or on hold,
// or whose start time has not come.
func (s *Store) FirstGroups(ctx context.Context, lane int64, keys []string, want map[string]int) ([]HeldGroup, error) {
	first, err := s.groups(ctx, firstGroupsSQL, ledger.Args{"lane": lane, "keys": keys, "most": 1})
	if err != nil {
		return nil, err
	}
	short := map[string]bool{}
	for _, group := range first {
		if len(group.Seqs) < want[group.Key] {
			short[group.Key] = true
		}
	}
	if len(short) == 0 {
		return sortGroups(first, keys), nil
	}
	// Read the first group of these keys again, because tasks may have been paused or resumed since
	// the first statement. All groups of a key thus come from one statement.
	args := ledger.Args{"lane": lane, "keys": slices.Collect(maps.Keys(short)), "most": keyGroups}
	more, err := s.groups(ctx, firstGroupsSQL, args)
	out := slices.DeleteFunc(first, func(g HeldGroup) bool { return short[g.Key] })
	return sortGroups(append(out, more...), keys), err
}

// sortGroups sorts groups in the order of the argument `keys`, and groups of one key in feeding order.
func sortGroups(groups []HeldGroup, keys []string) []HeldGroup {
	at := make(map[string]int, len(keys))
	for i, key := range keys {
		at[key] = i
	}
	slices.SortFunc(groups, func(a, b HeldGroup) int {
		return cmp.Or(cmp.Compare(at[a.Key], at[b.Key]), cmp.Compare(a.Place, b.Place), cmp.Compare(a.first(), b.first()))
	})
	return groups
}

// Groups returns all groups of some keys of a lane, key by key in the order of feeding.
func (s *Store) Groups(ctx context.Context, lane int64, keys []string) ([]HeldGroup, error) {
	return s.groups(ctx, groupsOfKeysSQL, ledger.Args{"lane": lane, "keys": keys})
}

// GroupsWithin returns groups of the given keys. The range from the first to the last row of each
// group overlaps the seqs from `low` to `high` of a task. A group may have no row between `low` and
// `high`.
func (s *Store) GroupsWithin(ctx context.Context, f Feed, keys []string, low, high int64) ([]HeldGroup, error) {
	return s.groups(ctx, groupsWithinSQL, ledger.Args{
		"lane": f.Lane, "keys": keys, "low": f.Num<<32 | low, "high": f.Num<<32 | high,
	})
}

func (s *Store) groups(ctx context.Context, text string, args ledger.Args) ([]HeldGroup, error) {
	var out []HeldGroup
	err := s.db.Probe(ctx, func(tx ledger.Tx) (err error) {
		out, err = ledger.List(ctx, tx, text, args, scanGroup)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("lanes: held rows: %w", err)
	}
	return out, nil
}
