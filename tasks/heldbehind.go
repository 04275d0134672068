package tasks

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/held_behind.sql
var heldBehindSQL string

// mostGroups is the greatest number of groups of held rows that HeldBehind reads for a key.
const mostGroups = 1000

// HeldBehind returns the number of held rows of each given key of a tenant and kind. It omits keys
// without held rows. Held rows wait in the ledger until earlier rows of their key end. HeldBehind
// reads at most 1,000 groups of held rows for each key, so the number is too low for a key with
// more groups.
func (s *Store) HeldBehind(ctx context.Context, tenant, kind string, keys []string) (map[string]int64, error) {
	out := map[string]int64{}
	args := ledger.Args{"tenant": tenant, "kind": kind, "keys": keys, "most": mostGroups}
	err := s.db.Probe(ctx, func(tx ledger.Tx) error {
		clear(out)
		return tx.Query(ctx, heldBehindSQL, args, func(scan ledger.Scan) error {
			var key string
			var n int64
			err := scan(&key, &n)
			out[key] = n
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("tasks: held rows of keys: %w", err)
	}
	return out, nil
}
