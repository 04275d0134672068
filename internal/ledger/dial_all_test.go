//go:build all

package ledger_test

import (
	"io"
	"net"
	"net/url"
	"sync"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestTransient_NetworkIsCut_IsTransient closes connections between the driver and the server. The driver
// then returns an error without a code of Postgres.
func TestTransient_NetworkIsCut_IsTransient(t *testing.T) {
	t.Parallel()
	u, err := url.Parse(ledgers.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t, u.String())
	addr, cut := cutter(t, u.Host)
	u.Host = addr
	far := newServer(t, u.String())
	byGorm := func() error { return far.db.Write.Exec("select pg_sleep(?)", 600).Error }
	for _, run := range []func() error{far.write, byGorm} {
		for far.db.Ping(t.Context()) != nil { // repeats until the pool has replaced its broken connections
		}
		s.requireTransient(s.blocked(run, cut), "")
	}
	s.requireTransient(far.db.View(t.Context(), func(tx ledger.Tx) error {
		cut()
		_, err := tx.Exec(t.Context(), "select 1", nil)
		return err
	}), "")
}

// cutter starts a proxy to a server, and returns its address. The function cut closes the open connections.
func cutter(t *testing.T, to string) (addr string, cut func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var open []net.Conn
	cut = func() {
		mu.Lock()
		defer mu.Unlock()
		for _, c := range open {
			_ = c.Close()
		}
		open = nil
	}
	t.Cleanup(func() { _ = l.Close(); cut() })
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				_ = in.Close()
				continue
			}
			mu.Lock()
			open = append(open, in, out)
			mu.Unlock()
			go func() { _, _ = io.Copy(in, out) }()
			go func() { _, _ = io.Copy(out, in) }()
		}
	}()
	return l.Addr().String(), cut
}
