package ledger_test

import (
	"bytes"
	"sync"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestASecretIsTheSameForAll: several callers request it at the same time.
func TestASecretIsTheSameForAll(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		db, err := ledger.Open(t.Context(), url, ledger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		got := make([][]byte, 6)
		var wg sync.WaitGroup
		for i := range got {
			wg.Go(func() {
				s, err := db.Secret(t.Context(), "a")
				if got[i] = s; err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		other, err := db.Secret(t.Context(), "b")
		if err != nil || len(other) != 32 || bytes.Equal(other, got[0]) {
			t.Errorf("another secret is %x, %v", other, err)
		}
		for _, s := range got {
			if len(s) != 32 || !bytes.Equal(s, got[0]) {
				t.Errorf("%x and %x are not the same", s, got[0])
			}
		}
	})
}
