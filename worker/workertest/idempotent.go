package workertest

import (
	"reflect"
	"testing"

	"github.com/rollcall-dev/rollcall/worker"
)

// CheckIdempotent runs a job, and runs it again as after a crash between the end
// of the handler and the record of it: with the same id and the next attempt.
// Both must end alike, and effect, which reads what the handler has done to the
// world, must tell the same after each, by reflect.DeepEqual. It returns the
// second outcome.
func CheckIdempotent[T any](
	t testing.TB, def *worker.Definition[T], args T, effect func() any, with ...func(*worker.Call),
) *Outcome {
	t.Helper()
	first := Run(t, def, args, with...)
	once := effect()
	saved := func(c *worker.Call) {
		c.Attempt++
		c.Backing.(backing).Saved = first.Saved
	}
	second := Run(t, def, args, append(with[:len(with):len(with)], saved)...)
	if first.String() != second.String() {
		t.Errorf("run again, it ends as %s, and not as before: %s", second, first)
	}
	if twice := effect(); !reflect.DeepEqual(once, twice) {
		t.Errorf("run again, it has done something else:\n after one run: %+v\nafter two runs: %+v", once, twice)
	}
	return second
}
