//go:build all

package e2e

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// watcher is a collector of traces, and the callback of a task.
type watcher struct {
	*httptest.Server
	mu      sync.Mutex
	spans   map[string][]string // by name: ids of their traces and parents
	parents []string            // traceparent headers of the callbacks
}

func newWatcher(t *testing.T) *watcher {
	t.Helper()
	w := &watcher{spans: map[string][]string{}}
	w.Server = httptest.NewServer(http.HandlerFunc(w.receive))
	t.Cleanup(w.Close)
	return w
}

func (w *watcher) receive(_ http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if r.URL.Path != "/v1/traces" {
		w.parents = append(w.parents, r.Header.Get("Traceparent"))
		return
	}
	var sent struct {
		ResourceSpans []struct {
			ScopeSpans []struct {
				Spans []struct{ TraceID, ParentSpanID, Name string }
			}
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
		return // traced then reports the missing spans
	}
	for _, s := range sent.ResourceSpans[0].ScopeSpans[0].Spans {
		w.spans[s.Name] = append(w.spans[s.Name], s.TraceID+"-"+s.ParentSpanID)
	}
}

// traced checks that the trace of a task, whose ID is that of the task, has the given number of
// spans of each name.
func (w *watcher) traced(t *testing.T, task string, want map[string]int) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	id, got := strings.ReplaceAll(task, "-", ""), map[string]int{}
	for name, list := range w.spans {
		for _, span := range list {
			if strings.HasPrefix(span, id+"-") {
				got[name]++
			}
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("the trace of %s has the spans %v, want %v", task, got, want)
	}
}

// checkCallback checks the callback of a task, and that its trace has a single first span.
func (w *watcher) checkCallback(t *testing.T, task string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.parents) != 1 {
		t.Fatalf("the listener was told %q", w.parents)
	}
	id := strings.ReplaceAll(task, "-", "")
	root, ok := strings.CutPrefix(strings.TrimSuffix(w.parents[0], "-01"), "00-")
	if !ok || !strings.HasPrefix(root, id+"-") {
		t.Errorf("traceparent %q is not of task %s", w.parents[0], task)
	}
	for name, list := range w.spans {
		for _, s := range list {
			if name != "accept" && strings.HasPrefix(s, id+"-") && s != root {
				t.Errorf("%s lies under %s, want %s", name, s, root)
			}
		}
	}
}
