package conns_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rollcall-dev/rollcall/internal/conns"
)

// dialEach connects once from each of n addresses, which a pattern forms with the numbers from 1.
func (h *connServer) dialEach(n int, pattern string) []*guest {
	h.t.Helper()
	var all []*guest
	for i := range n {
		all = append(all, h.dials(1, fmt.Sprintf(pattern, i+1))...)
	}
	return all
}

// works reports whether a request on a new connection of an address is answered.
func (h *connServer) works(from string) bool {
	h.t.Helper()
	g := h.dial(from)
	_, _ = io.WriteString(g, "GET /quick HTTP/1.1\r\nHost: x\r\n\r\n") // a refused connection takes nothing
	res, err := http.ReadResponse(g.in, nil)
	if err != nil {
		return false
	}
	_ = res.Body.Close()
	synctest.Wait() // the connection is idle
	return res.StatusCode == http.StatusOK
}

func TestTable_IsFullOfOneIPv6Site_NewcomersGetHalf(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newConnServer(t, conns.Limits{Connections: 20})
		defer h.end()
		wide := h.dialEach(20, "2001:db8:7:%x::1")
		more := h.dials(12, "192.0.2.1")
		if a, b := left(wide), left(more); a != 10 || b != 10 {
			t.Errorf("%d of the wide network and %d of the newcomer are left, want 10 and 10", a, b)
		}
	})
}

func TestTable_IsFullOfOneEach_NewcomersGetIn(t *testing.T) {
	t.Parallel()
	for name, pattern := range map[string]string{"IPv4": "192.0.2.%d", "IPv6": "2001:db8:%x::1"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := newConnServer(t, conns.Limits{Connections: 10})
				defer h.end()
				all := h.dialEach(10, pattern)
				all[0].asks("/wait")
				all[1].asks("/large")
				synctest.Wait()
				for i := range 20 {
					if !h.works(fmt.Sprintf("198.51.100.%d", i)) {
						t.Fatalf("newcomer %d was kept out", i)
					}
				}
				if all[0].out() || all[1].out() || left(all[2:]) != 0 {
					t.Error("not those that had been idle for the longest time were given up")
				}
			})
		})
	}
}

// TestTable_IsFullOfWaitingAnswers_NewcomersGetIn: no connection is idle, and no client has more
// than one connection.
func TestTable_IsFullOfWaitingAnswers_NewcomersGetIn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newConnServer(t, conns.Limits{Connections: 4})
		defer h.end()
		all := h.dialEach(4, "192.0.2.%d")
		for _, g := range all {
			g.asks("/large")
		}
		synctest.Wait()
		if !h.works("198.51.100.1") || !h.works("198.51.100.2") || left(all) != 3 {
			t.Errorf("newcomers were kept out, or more than one gave way: %d are left, want 3", left(all))
		}
	})
}

// TestTable_OfficeWorks_IdleOnesOfOthersGoFirst: many clients with one idle connection each do not
// close the busy connections of a client that has many.
func TestTable_OfficeWorks_IdleOnesOfOthersGoFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newConnServer(t, conns.Limits{Connections: 20})
		defer h.end()
		office := h.dials(10, "192.0.2.1")
		for _, g := range office {
			g.asks("/wait")
		}
		h.dialEach(10, "198.51.100.%d")
		time.Sleep(2 * time.Second)
		h.dialEach(10, "203.0.113.%d")
		if n := left(office); n != 10 {
			t.Errorf("%d requests are still at work, want all 10", n)
		}
	})
}

// TestTable_NewcomersSendTheirHeads_BusyOnesOfTheFullestGoFirst: new clients do not replace each
// other while a client with many connections keeps all of them busy.
func TestTable_NewcomersSendTheirHeads_BusyOnesOfTheFullestGoFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newConnServer(t, conns.Limits{Connections: 10})
		defer h.end()
		for _, g := range h.dials(10, "192.0.2.1") {
			g.asks("/wait")
		}
		synctest.Wait()
		if n := left(h.dialEach(5, "198.51.100.%d")); n != 5 {
			t.Errorf("%d newcomers are left, want 5", n)
		}
	})
}

func TestTable_IsFullOfIdleOnesOfAProxy_AnotherGetsIn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newConnServer(t, conns.Limits{Connections: 5})
		defer h.end()
		h.dials(5, "10.0.0.1")
		if !h.works("10.0.0.1") || !h.works("192.0.2.1") {
			t.Error("a connection was refused while others were idle")
		}
	})
}

// TestTable_TooManyAnswersWait_SteadyReaderStays: of many clients with one answer each, clients
// that read nothing are closed before a client that reads some.
func TestTable_TooManyAnswersWait_SteadyReaderStays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newConnServer(t, conns.Limits{Stalled: 8})
		defer h.end()
		steady := h.dial("192.0.2.1")
		steady.asks("/large")
		read := func(n int) error { _, err := io.CopyN(io.Discard, steady, int64(n)); return err }
		var err error
		for second := 0; err == nil && second < 40; second++ {
			if second%3 == 0 { // each write of 32 KiB takes up to six seconds
				stalled := h.dial(fmt.Sprintf("198.51.100.%d", second))
				stalled.asks("/large")
			}
			err = read(6 << 10)
			time.Sleep(time.Second)
		}
		if err != nil || len(h.ended) < 5 {
			t.Errorf("the steady reader got %v; %d answers were broken off", err, len(h.ended))
		}
	})
}

// TestTable_OneClientHasMostAnswers_LoneStalledOneStays: the networks of an IPv6 site count as one
// client. One of its connections is closed before that of a client that has been stalled for longer.
func TestTable_OneClientHasMostAnswers_LoneStalledOneStays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newConnServer(t, conns.Limits{Stalled: 8})
		defer h.end()
		lone := h.dial("192.0.2.1")
		lone.asks("/large")
		time.Sleep(5 * time.Second)
		wide := h.dialEach(7, "2001:db8:0:%x::1")
		for _, g := range wide {
			g.asks("/large")
		}
		time.Sleep(2 * time.Second)
		other := h.dial("192.0.2.2")
		other.asks("/quick")
		if got := other.status(); got != http.StatusOK {
			t.Errorf("a client that reads got %d", got)
		}
		if lone.out() || slices.IndexFunc(wide, (*guest).out) < 0 {
			t.Error("not the network with the most answers gave one up")
		}
	})
}

// TestTable_VeryManyAnswersOfOneEachWait_GivesUpOthers: the newest answer takes the place of
// another one.
func TestTable_VeryManyAnswersOfOneEachWait_GivesUpOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newConnServer(t, conns.Limits{Stalled: 4})
		defer h.end()
		all := h.dialEach(12, "192.0.2.%d")
		for _, g := range all {
			g.asks("/large")
			synctest.Wait()
		}
		if n := left(all); n != 8 || all[11].out() {
			t.Errorf("%d connections are left, the newest: %v; want 8 with the newest", n, !all[11].out())
		}
		if _, err := io.CopyN(io.Discard, all[11], large); err != nil {
			t.Errorf("the newest got %v", err)
		}
	})
}
