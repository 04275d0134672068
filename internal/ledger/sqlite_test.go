package ledger_test

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// pools returns the number of open pools of database/sql in this process.
func pools() int {
	buf := make([]byte, 1<<20)
	return strings.Count(string(buf[:runtime.Stack(buf, true)]), "(*DB).connectionOpener(")
}

// TestOpen_FileCannotBeOpened_LeaksNoPool is not parallel, since other tests open pools.
func TestOpen_FileCannotBeOpened_LeaksNoPool(t *testing.T) {
	before := pools()
	path := filepath.Join(t.TempDir(), "none", "ledger.db")
	if _, err := ledger.Open(t.Context(), path, ledger.Options{}); err == nil {
		t.Fatal("a ledger was opened in a folder that does not exist")
	}
	for range 60_000 { // at least a minute, for a busy machine
		if pools() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d pools are open, want %d", pools(), before)
}
