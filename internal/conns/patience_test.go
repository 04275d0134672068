package conns_test

import (
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rollcall-dev/rollcall/internal/conns"
)

func TestWrite_ClientTakesNothing_ConnectionIsClosed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newConnServer(t, conns.Limits{})
		defer h.end()
		g := h.dial("192.0.2.1")
		g.asks("/large")
		if took := <-h.ended; took != conns.StallTimeout {
			t.Errorf("the answer was written for %v, want %v", took, conns.StallTimeout)
		}
	})
}

func TestWrite_ClientIsSlowerThanTheRate_ConnectionIsClosed(t *testing.T) {
	t.Parallel()
	for name, slow := range map[string]struct {
		takes int
		every time.Duration
	}{
		"a byte now and then": {1, conns.StallTimeout - time.Second},
		"half of the rate":    {conns.SlowestRate / 2, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := newConnServer(t, conns.Limits{})
				defer h.end()
				g := h.dial("192.0.2.1")
				g.asks("/large")
				var err error
				for err == nil {
					time.Sleep(slow.every)
					_, err = io.ReadFull(g, make([]byte, slow.takes))
				}
				if took := <-h.ended; took > 3*conns.StallTimeout {
					t.Errorf("written for %v", took)
				}
			})
		})
	}
}

func TestWrite_SteadyClient_GetsAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newConnServer(t, conns.Limits{})
		defer h.end()
		g := h.dial("192.0.2.1")
		g.asks("/large")
		got, b := 0, make([]byte, 2*conns.SlowestRate)
		for got < large {
			time.Sleep(time.Second * 15 / 10)
			n, err := io.ReadAtLeast(g, b, min(len(b), large-got))
			if got += n; err != nil {
				t.Fatalf("%v after %d of %d bytes", err, got, large)
			}
		}
		if took := <-h.ended; took < 3*conns.StallTimeout {
			t.Errorf("written in %v, which tests no patience", took)
		}
	})
}

// TestWrite_ServerIsSlow_CostsNoPatience: the time in which the server has nothing to send does not
// count against a client.
func TestWrite_ServerIsSlow_CostsNoPatience(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newConnServer(t, conns.Limits{})
		defer h.end()
		g := h.dial("192.0.2.1")
		for range 5 {
			g.asks("/quick")
			if got := g.status(); got != http.StatusOK {
				t.Fatalf("status %d", got)
			}
			time.Sleep(conns.IdleTime - time.Second)
		}
		time.Sleep(2 * time.Second)
		if _, err := g.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			t.Errorf("an idle connection was left open: %v", err)
		}
	})
}

func TestServer_HeadOfARequestDoesNotEnd_ConnectionIsClosed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newConnServer(t, conns.Limits{})
		defer h.end()
		begun := time.Now()
		g := h.dial("192.0.2.1")
		if _, err := io.WriteString(g, "GET / HTTP/1.1\r\nHost: x\r\n"); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(g); err != nil || time.Since(begun) > conns.HeaderTime+time.Second {
			t.Errorf("closed after %v, %v; want %v", time.Since(begun), err, conns.HeaderTime)
		}
	})
}
