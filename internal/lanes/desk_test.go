package lanes

import (
	"os"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

func TestMain(m *testing.M) { testenv.Main(m, 8) }

// desk is a test that runs statements on a ledger.
type desk struct {
	*testing.T
	db *ledger.DB
}

func on(t *testing.T, story func(*desk)) {
	ledgers.Each(t, func(t *testing.T, url string) {
		db, err := ledger.Open(t.Context(), url, ledger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		story(&desk{t, db})
	})
}

func (d *desk) fine(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

// text returns a statement of package tasks.
func (d *desk) text(name string) string {
	d.Helper()
	b, err := os.ReadFile("../../tasks/sql/" + name + ".sql")
	d.fine(err)
	return string(b)
}
