package conns_test

import (
	"fmt"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rollcall-dev/rollcall/internal/conns"
)

// dials connects n times from an address.
func (h *connServer) dials(n int, from string) []*guest {
	h.t.Helper()
	var all []*guest
	for range n {
		all = append(all, h.dial(from))
		time.Sleep(time.Millisecond) // so that they differ in age
	}
	return all
}

// left counts the connections that the server has not closed.
func left(all []*guest) (n int) {
	for _, g := range all {
		if !g.out() {
			n++
		}
	}
	return n
}

func TestTable_IsFull_ClientWithTheMostGivesUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newConnServer(t, conns.Limits{Connections: 20})
		defer h.end()
		few, many := h.dials(2, "192.0.2.1"), h.dials(18, "192.0.2.2")
		more := h.dials(5, "192.0.2.3")
		if a, b, c := left(few), left(many), left(more); a != 2 || b != 13 || c != 5 {
			t.Errorf("%d, %d and %d connections are left, want 2, 13 and 5", a, b, c)
		}
		if !many[0].out() || many[17].out() {
			t.Error("not those that had been idle for the longest time were given up")
		}
		again := h.dials(5, "192.0.2.2")
		if a, b, c := left(few), left(many)+left(again), left(more); a != 2 || b != 13 || c != 5 {
			t.Errorf("after more of the same: %d, %d and %d connections, want 2, 13 and 5", a, b, c)
		}
	})
}

// TestTable_IsFullOfBusyOnes_ClientWithTheMostGivesUp: slow request bodies keep no other client
// out.
func TestTable_IsFullOfBusyOnes_ClientWithTheMostGivesUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newConnServer(t, conns.Limits{Connections: 10})
		defer h.end()
		many := h.dials(10, "192.0.2.2")
		for _, g := range many {
			g.asks("/wait")
		}
		synctest.Wait()
		good := h.dial("192.0.2.1")
		good.asks("/quick")
		if got := good.status(); got != http.StatusOK || left(many) != 9 {
			t.Errorf("the newcomer got %d, %d of the others are left; want 200 and 9", got, left(many))
		}
	})
}

func TestTable_ClientHasAsManyAsItMay_IdleOnesGoFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newConnServer(t, conns.Limits{PerAddress: 3})
		defer h.end()
		all := h.dials(3, "192.0.2.1")
		all[0].asks("/wait")
		synctest.Wait()
		all = append(all, h.dials(2, "192.0.2.1")...)
		if all[0].out() || !all[1].out() || !all[2].out() || all[3].out() || all[4].out() {
			t.Error("the idle ones were not given up")
		}
		all[3].asks("/wait")
		all[4].asks("/wait")
		synctest.Wait()
		if more := h.dials(1, "192.0.2.1"); left(more) != 0 {
			t.Error("a fourth connection was taken while three are at work")
		}
		if other := h.dials(1, "192.0.2.4"); left(other) != 1 {
			t.Error("another client was refused")
		}
	})
}

func TestTable_AddressesOfOneIPv6Network_AreOneClient(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newConnServer(t, conns.Limits{PerAddress: 3})
		defer h.end()
		var all []*guest
		for i := range 5 {
			all = append(all, h.dials(1, fmt.Sprintf("2001:db8::%d", i+1))...)
		}
		if n := left(append(all, h.dials(1, "2001:db8:0:1::1")...)); n != 4 {
			t.Errorf("%d connections are left, want 3 and that of another network", n)
		}
	})
}

func TestTable_TooManyAnswersWait_ClientWithTheMostGivesUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newConnServer(t, conns.Limits{Stalled: 4})
		defer h.end()
		for _, g := range h.dials(4, "192.0.2.2") {
			g.asks("/large")
		}
		lone := h.dial("192.0.2.1")
		lone.asks("/large")
		time.Sleep(2 * time.Second)
		good := h.dial("192.0.2.3")
		good.asks("/quick")
		if got := good.status(); got != http.StatusOK {
			t.Errorf("a client that reads got %d", got)
		}
		time.Sleep(time.Second)
		if n := len(h.ended); n != 1 {
			t.Errorf("%d answers were broken off, want one of the client that has four", n)
		}
		if _, err := io.CopyN(io.Discard, lone, large); err != nil {
			t.Errorf("the client with one got %v", err)
		}
	})
}

func TestTable_VeryManyAnswersWait_GivesUpYoungOnes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newConnServer(t, conns.Limits{Stalled: 4})
		defer h.end()
		all := h.dials(12, "192.0.2.2")
		for _, g := range all {
			g.asks("/large")
		}
		synctest.Wait()
		if n := left(all); n != 8 {
			t.Errorf("%d connections are left, want 8", n)
		}
	})
}

func TestClaim_RequestsOfATrustedProxy_CountByClient(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newConnServer(t, conns.Limits{PerAddress: 2})
		defer h.end()
		through := h.dials(6, "10.0.0.1")
		for i, client := range []string{"192.0.2.1", "192.0.2.1", "192.0.2.2"} {
			through[i].asks("/wait", "X-Forwarded-For: "+client)
		}
		synctest.Wait()
		for client, want := range map[string]int{"192.0.2.1": 429, "192.0.2.2": 200} {
			through[3].asks("/quick", "X-Forwarded-For: "+client)
			if got := through[3].status(); got != want {
				t.Errorf("one more of %s: %d, want %d", client, got, want)
			}
		}
		through[4].asks("/quick", "X-Forwarded-For: 192.0.2.2")
		if got := through[4].status(); got != http.StatusOK {
			t.Errorf("a request behind another: %d, so a claim was not released", got)
		}
		if n := left(through[3:]); n != 3 {
			t.Errorf("%d idle connections of the proxy are left, want 3", n)
		}
	})
}

func TestClaim_PeerIsNoProxy_HeaderDoesNotCount(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newConnServer(t, conns.Limits{PerAddress: 2})
		defer h.end()
		for i, g := range h.dials(2, "192.0.2.1") {
			g.asks("/wait", fmt.Sprintf("X-Forwarded-For: 192.0.2.%d", i+10))
		}
		synctest.Wait()
		if more := h.dials(2, "192.0.2.1"); left(more) != 0 {
			t.Error("a client chose its address")
		}
	})
}
