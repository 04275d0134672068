package tasks

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/held_behind.sql
var heldBehindSQL string

// behindRuns is the most runs of a key that HeldBehind counts.
const behindRuns = 1000

// HeldBehind returns how many rows of some keys of a tenant and kind are held: they wait in the ledger
// until rows of their key end. A count above about 250,000 may be too low.
func (s *Store) HeldBehind(ctx context.Context, tenant, kind string, keys []string) (map[string]int64, error) {
	out := map[string]int64{}
	args := ledger.Args{"tenant": tenant, "kind": kind, "keys": keys, "most": behindRuns}
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
