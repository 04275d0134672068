package ledger

import (
	"fmt"
	"sync"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestInspect_WhileAnotherProcessMigrates_SeesNoFault: the schema is empty before the migration and
// whole behind it, and a reading never mixes the two.
func TestInspect_WhileAnotherProcessMigrates_SeesNoFault(t *testing.T) {
	t.Parallel()
	url := testenv.Postgres(t)
	for i := range 10 {
		opt := Options{Schema: fmt.Sprintf("migrated_%d", i)}
		var readers sync.WaitGroup
		for range 3 {
			readers.Go(func() {
				for {
					c, err := Inspect(t.Context(), url, opt)
					if err != nil || c.Fault != nil {
						t.Errorf("%v, %v", c.Fault, err)
						return
					}
					if c.Schema == c.Known {
						return
					}
				}
			})
		}
		_, _, err := Migrate(t.Context(), url, opt)
		if err != nil {
			t.Fatal(err)
		}
		readers.Wait()
	}
}
