package throttle

import (
	"fmt"
	"testing"
	"testing/synctest"
)

// TestLocal_VeryManyNames_AreBoundedAndTheUsedOnesKept: very many clients with one request each do
// not remove the count of a client with too many.
func TestLocal_VeryManyNames_AreBoundedAndTheUsedOnesKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var l Local
		for range 5 {
			l.Allow("heavy", 5)
		}
		for i := range 3 * mostNames {
			if v := l.Allow(fmt.Sprint(i), 5); !v.OK {
				t.Fatalf("name %d: %+v", i, v)
			}
			if len(l.own) > mostNames {
				t.Fatalf("%d names are kept, want %d at most", len(l.own), mostNames)
			}
		}
		if v := l.Allow("heavy", 5); v.OK {
			t.Error("the count of a client that came too often was forgotten")
		}
	})
}

// BenchmarkLocal_NewNames measures a request when each comes from a new address.
func BenchmarkLocal_NewNames(b *testing.B) {
	var l Local
	for i := 0; b.Loop(); i++ {
		l.Allow(fmt.Sprint(i), 1200)
	}
}
