package lanes

import (
	"context"
	_ "embed"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/due_keys.sql
	dueKeysSQL string
	//go:embed sql/due_key.sql
	dueKeySQL string
)

// Reread is the due time of a key whose first row must be read again, since another row may now be the
// first.
const Reread = 1

// Now returns the time of the ledger, in unix ms.
func (s *Store) Now() int64 { return s.now().UnixMilli() }

// DueKeys returns the keys of a lane whose due time has come, up to `limit` keys, the earliest time
// first. The first held row of such a key has reached its start time, or must be read again
// (Reread).
func (s *Store) DueKeys(ctx context.Context, lane int64, limit int) ([]string, error) {
	return s.keys(ctx, dueKeysSQL, ledger.Args{"lane": lane, "most": limit})
}

// noteDue stores the start times of the first held rows of keys.
func (s *Store) noteDue(ctx context.Context, tx ledger.Tx, lane int64, due map[string]int64) error {
	list := make([]ledger.Args, 0, len(due))
	for key, at := range due {
		list = append(list, ledger.Args{"lane": lane, "key": key, "due": at})
	}
	_, err := ledger.ExecEach(ctx, tx, dueKeySQL, list)
	return err
}
