package conns_test

import (
	"maps"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rollcall-dev/rollcall/internal/conns"
)

func TestGivenUp_EachReason_IsReported(t *testing.T) {
	t.Parallel()
	for want, story := range map[conns.Reason]struct {
		limits  conns.Limits
		provoke func(h *connServer)
	}{
		conns.ClientFull: {conns.Limits{PerAddress: 1}, func(h *connServer) { h.dials(2, "192.0.2.1") }},
		conns.TableFull:  {conns.Limits{Connections: 1}, func(h *connServer) { h.dialEach(2, "192.0.2.%d") }},
		conns.Refused: {conns.Limits{Connections: 1}, func(h *connServer) {
			h.dial("192.0.2.1").asks("/wait")
			synctest.Wait()
			h.dial("192.0.2.2")
		}},
		conns.Stalled: {conns.Limits{Stalled: 1}, func(h *connServer) {
			h.dial("192.0.2.1").asks("/large")
			time.Sleep(2 * time.Second)
			h.dial("192.0.2.2").asks("/quick")
		}},
		conns.Slow: {conns.Limits{}, func(h *connServer) {
			h.dial("192.0.2.1").asks("/large")
			time.Sleep(conns.StallTimeout + time.Second)
		}},
	} {
		t.Run(string(want), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				got := map[conns.Reason]int{}
				story.limits.GivenUp = func(r conns.Reason) { mu.Lock(); defer mu.Unlock(); got[r]++ }
				h := newConnServer(t, story.limits)
				story.provoke(h)
				synctest.Wait()
				mu.Lock()
				if !maps.Equal(got, map[conns.Reason]int{want: 1}) {
					t.Errorf("reported %v, want one %s", got, want)
				}
				mu.Unlock()
				h.end()
			})
		})
	}
}
