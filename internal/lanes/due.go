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

// Look is the due time of a key whose first row must be read again, since another row may now be the
// first.
const Look = 1

// Now returns the time of the ledger.
func (s *Store) Now() int64 { return s.now().UnixMilli() }

// DueKeys returns up to most keys of a lane whose first held row has reached its own time.
func (s *Store) DueKeys(ctx context.Context, lane int64, most int) ([]string, error) {
	return s.keys(ctx, dueKeysSQL, ledger.Args{"lane": lane, "most": most})
}

// noteDue stores the times for which the first held rows of keys wait.
func (s *Store) noteDue(ctx context.Context, tx ledger.Tx, lane int64, due map[string]int64) error {
	list := make([]ledger.Args, 0, len(due))
	for key, at := range due {
		list = append(list, ledger.Args{"lane": lane, "key": key, "due": at})
	}
	_, err := ledger.ExecEach(ctx, tx, dueKeySQL, list)
	return err
}
