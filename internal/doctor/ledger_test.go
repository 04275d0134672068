package doctor

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/settings"
)

// TestDoctor_ConnectionsLeft_AreComparedWithTheConfiguredPool checks the connections that one more process
// needs: the setting DATABASE_POOL, or its default.
func TestDoctor_ConnectionsLeft_AreComparedWithTheConfiguredPool(t *testing.T) {
	t.Parallel()
	for pool, want := range map[int]string{0: "ok    postgres room", 20: "ok    postgres room", 21: "fail  postgres room"} {
		var out bytes.Buffer
		d := &checkup{cfg: settings.Config{DatabasePool: pool}, out: &out}
		d.postgres(ledger.Condition{Server: leastPostgres, MaxConnections: 100, Connections: 80})
		if !strings.Contains(out.String(), want) {
			t.Errorf("a pool of %d: %s", pool, out.String())
		}
	}
}
