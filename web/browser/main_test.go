package browser

import (
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestMain runs two tests at once, because other packages run at the same time. The tests mostly wait, for a minute
// at rest or for the end of an undo.
func TestMain(m *testing.M) { testenv.Main(m, 2) }
