package conns

import (
	"net/netip"
	"testing"
	"time"
)

// fullTable returns a table with one connection for each of 2048 clients, half of which are
// writing.
func fullTable() (*Table, *conn) {
	t := NewTable(Limits{}, nil)
	add := func(i int) *conn {
		client := netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)})
		c := &conn{table: t, since: time.Now(), phase: phase(i % 2), until: time.Now()}
		t.all[c] = struct{}{}
		t.countUnder(c, client)
		if c.phase == writing {
			c.site.writing++
			t.writers++
		}
		return c
	}
	for i := range t.limits.Connections {
		add(i)
	}
	return t, &conn{table: t, client: netip.MustParseAddr("192.0.2.1"), since: time.Now()}
}

// BenchmarkRoom measures one connection while the table is full of clients with one each.
func BenchmarkRoom(b *testing.B) {
	t, c := fullTable()
	for b.Loop() {
		if victim, _, ok := t.room(c); !ok || victim == nil {
			b.Fatal("no room")
		}
	}
}

// BenchmarkTooMany measures a write while the greatest number of writes waits.
func BenchmarkTooMany(b *testing.B) {
	t, _ := fullTable()
	for b.Loop() {
		if t.tooMany(time.Now()) == nil {
			b.Fatal("none is given up")
		}
	}
}
