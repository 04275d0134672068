package web_test

import (
	"strings"
	"testing"
)

// TestExplain_LaneWithHeldRows_NamesTheirKeys explains a row that is not fed. Its lane has keys with more rows
// than may be in Redis.
func TestExplain_LaneWithHeldRows_NamesTheirKeys(t *testing.T) {
	t.Parallel()
	d := newDepot(t)
	row := d.acme.imported("No,tel\nX,+14155550177\n") + ".1"
	d.split()
	for _, key := range []string{"P-1", "P-2"} {
		fine(t, d.db.Write.Exec("INSERT INTO rollcall.held_keys (lane, key, most) SELECT max(id), ?, 2 FROM rollcall.lanes WHERE tenant = 'acme'", key).Error)
	}
	fine(t, d.db.Write.Exec("UPDATE rollcall.feeds SET lane = (SELECT max(id) FROM rollcall.lanes WHERE tenant = 'acme')").Error)
	d.acme.why(row, "NO_WORKER", "KEYS_FILL_WINDOW", "NOT_FED")
	if r := d.reason(row, "KEYS_FILL_WINDOW"); !strings.Contains(r, "all the room in Redis: P-1, P-2.") {
		t.Errorf("keys that fill the window: %s", r)
	}
}
