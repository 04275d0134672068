package web_test

import (
	"context"
	"net/http"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web"
)

// TestRequestsAreCounted: requests are counted by the pattern of their path. Only callers with the
// scope can read the metrics.
func TestRequestsAreCounted(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	got := map[web.Served]int{}
	l := newLab(t, func(o *web.Options) {
		o.Served = func(_ context.Context, r web.Served) {
			mu.Lock()
			defer mu.Unlock()
			r.Took = 0
			got[r]++
		}
		o.Metrics = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			_, _ = w.Write([]byte("up 1\n"))
		})
	})
	l.look("/api/v1/tasks/" + unknownID).is(http.StatusNotFound)
	l.look("/api/v1/tasks/2").is(http.StatusNotFound)
	l.look("/nothing/7").is(http.StatusNotFound)
	if r := l.look("/metrics"); r.status != http.StatusOK || r.body != "up 1\n" {
		t.Errorf("figures: %d %q", r.status, r.body)
	}
	_, viewer := l.member("default", access.Viewer)
	l.look("/metrics").is(http.StatusUnauthorized)
	l.as(viewer).look("/metrics").refuses(http.StatusForbidden, "SCOPE_MISSING")
	want := map[web.Served]int{
		{Method: "GET", Route: "/api/v1/tasks/:id", Status: 404}: 2,
		{Method: "GET", Status: 404}:                             1,
		{Method: "GET", Route: "/metrics", Status: 200}:          1,
		{Method: "GET", Route: "/metrics", Status: 401}:          1,
		{Method: "GET", Route: "/metrics", Status: 403}:          1,
	}
	mu.Lock()
	defer mu.Unlock()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}
