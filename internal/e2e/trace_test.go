package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// watcher is a collector of traces, and the listener of a task.
type watcher struct {
	*httptest.Server
	mu      sync.Mutex
	spans   map[string][]string // by name: ids of their traces and parents
	parents []string            // traceparent of what was told
}

func newWatcher(t *testing.T) *watcher {
	t.Helper()
	w := &watcher{spans: map[string][]string{}}
	w.Server = httptest.NewServer(http.HandlerFunc(w.hear))
	t.Cleanup(w.Close)
	return w
}

func (w *watcher) hear(_ http.ResponseWriter, r *http.Request) {
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
		return // it will be missed
	}
	for _, s := range sent.ResourceSpans[0].ScopeSpans[0].Spans {
		w.spans[s.Name] = append(w.spans[s.Name], s.TraceID+"-"+s.ParentSpanID)
	}
}

// told holds what was heard to one trace of a task, whose id is the task's.
func (w *watcher) told(t *testing.T, task string, want map[string]int) {
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
	for name, n := range want {
		if len(w.spans[name]) != n {
			t.Errorf("%d spans %s, want %d", len(w.spans[name]), name, n)
		}
		for _, s := range w.spans[name] {
			if name != "accept" && s != root {
				t.Errorf("%s lies under %s, want %s", name, s, root)
			}
		}
	}
}
