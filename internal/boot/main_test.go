package boot

import (
	"os"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

func TestMain(m *testing.M) {
	if os.Getenv(heapHeld) != "" {
		os.Exit(m.Run()) // a child of collections: Main would make collections rare
	}
	testenv.Main(m, 8)
}
