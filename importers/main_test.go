package importers_test

import (
	"os"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(envKillLedger); url != "" {
		readAndDie(url)
	}
	testenv.Main(m, 8)
}
