package browser

import (
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestMain runs three tests at once: they mostly wait, for a minute at rest or for the end of an undo.
func TestMain(m *testing.M) { testenv.Main(m, 3) }
