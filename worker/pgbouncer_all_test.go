//go:build all

package worker_test

import (
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestPgBouncer_TransactionMode_RunsAnImport migrates, and runs an import and a job of a host, on
// connections that PgBouncer assigns for one transaction each.
func TestPgBouncer_TransactionMode_RunsAnImport(t *testing.T) {
	t.Parallel()
	direct := testenv.Postgres(t)
	host := hostOf(t, direct)
	s := newNeighbour(t, testenv.StartPgBouncer(t, direct)+"&default_query_exec_mode=exec", ledger.DefaultSchema)
	s.importsRows()
	s.joins(host)
}
