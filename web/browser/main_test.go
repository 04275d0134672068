package browser

import (
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestMain runs two tests at once in make test, beside other packages. It runs three in make test-all, where the
// browser runs alone. The tests mostly wait, for a minute at rest or for the end of an undo.
func TestMain(m *testing.M) { testenv.Main(m, testenv.Size(2, 3)) }
