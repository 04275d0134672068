//go:build chaos

package e2e

import (
	"math/rand/v2"
	"testing"
)

// TestSetBack_TwentyRandomMoments_AllEndsInOrder sets a ledger back five times for each
// variant, at random moments of imports.
func TestSetBack_TwentyRandomMoments_AllEndsInOrder(t *testing.T) {
	variants(t, func(r *rolling, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 21))
		for range 5 {
			ended := random.IntN(keyedRows())
			r.back(ended, random.IntN(keyedRows()-ended+1))
		}
	})
}
