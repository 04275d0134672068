package workertest

import (
	"reflect"
	"testing"

	"github.com/rollcall-dev/rollcall/worker"
)

// CheckIdempotent runs a job twice, with the same id and the next attempt. In production this
// happens after a crash between the end of the handler and the commit of its outcome. Both runs
// must have the same outcome. The function `effect` reads the effects of the handler; it must
// return equal values after both runs, compared with reflect.DeepEqual. CheckIdempotent returns the
// second outcome.
func CheckIdempotent[T any](
	t testing.TB, def *worker.Definition[T], args T, effect func() any, with ...func(*Setup),
) *Outcome {
	t.Helper()
	first := Run(t, def, args, with...)
	once := effect()
	saved := func(s *Setup) {
		s.Attempt++
		s.Saved = first.Saved
	}
	second := Run(t, def, args, append(with[:len(with):len(with)], saved)...)
	if first.String() != second.String() {
		t.Errorf("the second run ended as %s, the first as %s", second, first)
	}
	if twice := effect(); !reflect.DeepEqual(once, twice) {
		t.Errorf("the second run changed the effect:\n after one run: %+v\nafter two runs: %+v", once, twice)
	}
	return second
}
