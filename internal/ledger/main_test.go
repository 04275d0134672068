package ledger_test

import (
	"os"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

func TestMain(m *testing.M) {
	testenv.AtOnce(8)
	os.Exit(m.Run())
}
