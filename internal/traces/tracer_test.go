package traces

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"
)

const task = "019aa5d4-0c1e-7cc3-9b1f-0a1b2c3d4e5f"

// collector is the receiver of the traces.
type collector struct {
	mu    sync.Mutex
	spans map[string]span // by name
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var b batch
	if err := json.NewDecoder(r.Body).Decode(&b); err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("Key") != "k" {
		http.Error(w, "?", http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range b.Resources[0].Scopes[0].Spans {
		c.spans[s.Name] = s
	}
}

// TestATaskIsOneTrace: two processes that know nothing of each other add spans to it.
func TestATaskIsOneTrace(t *testing.T) {
	t.Parallel()
	c := &collector{spans: map[string]span{}}
	srv := httptest.NewServer(c)
	defer srv.Close()
	opt := Options{Endpoint: srv.URL + "/", Headers: map[string]string{"Key": "k"}}
	api, worker := New(opt), New(opt)
	now := time.Now()
	caller := "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	api.Accepted(Span{Task: task, Name: "accept", Began: now, Took: time.Second}, caller)
	worker.Did(Span{Task: task, Name: "feed", Began: now, Facts: []slog.Attr{slog.Int("jobs", 3)}, Fault: "away"})
	ctx := worker.Begin(t.Context(), Span{Task: task, Name: "job", Began: now}, "a")
	_, inner := trace.SpanFromContext(ctx).TracerProvider().Tracer("handler").Start(ctx, "inner")
	inner.End()
	if worker.End(ctx, Span{Began: now}, "b") || !worker.End(ctx, Span{Began: now, Took: time.Second}, "a") {
		t.Error("a span was ended under another key, or not under its own")
	}
	if err := errors.Join(api.Close(), worker.Close()); err != nil {
		t.Fatal(err)
	}
	root := c.spans["accept"]
	if root.TraceID != strings.ReplaceAll(task, "-", "") || root.Parent != "" || len(root.Links) != 1 ||
		root.Links[0].SpanID != "b7ad6b7169203331" {
		t.Errorf("the first span: %+v", root)
	}
	if want := "00-" + root.TraceID + "-" + root.SpanID + "-01"; worker.Header(task) != want {
		t.Errorf("Header = %s, want %s", worker.Header(task), want)
	}
	for name, parent := range map[string]string{
		"feed": root.SpanID, "job": root.SpanID, "inner": c.spans["job"].SpanID,
	} {
		if s := c.spans[name]; s.TraceID != root.TraceID || s.Parent != parent || s.Parent == "" {
			t.Errorf("%s: %+v, want below %s", name, s, parent)
		}
	}
	feed := c.spans["feed"]
	if feed.Status != (status{codeError, "away"}) || feed.Attributes[0].Value["intValue"] != "3" {
		t.Errorf("feed: %+v", feed)
	}
}

// TestWithoutACollector: nothing is sent. A collector that is unavailable delays nothing.
func TestWithoutACollector(t *testing.T) {
	t.Parallel()
	var none *Tracer
	ctx := none.Begin(t.Context(), Span{Task: task}, "a")
	none.Did(Span{Task: task})
	none.Accepted(Span{Task: task}, "")
	if ctx != t.Context() || none.End(ctx, Span{}, "a") || none.Header(task) != "" || none.Close() != nil {
		t.Error("a nil tracer does something")
	}
	away := New(Options{Endpoint: "http://127.0.0.1:1"})
	for range 10_000 {
		away.Did(Span{Task: task, Name: "x"})
	}
	if err := away.Close(); err != nil {
		t.Errorf("a collector that is away: %v", err)
	}
}

// TestTheSameTasksAreTraced: every process traces the same tasks, about as many as the setting
// says.
func TestTheSameTasksAreTraced(t *testing.T) {
	t.Parallel()
	n := 0
	for i := range 10_000 {
		var id trace.TraceID
		id[15], id[14], id[13], id[12] = byte(i), byte(i>>8), byte(i*31), byte(i*7)
		if share(id, 0.25) {
			n++
		}
		if !share(id, 1) {
			t.Fatalf("%v is not traced, though all are to be", id)
		}
	}
	if n < 2000 || n > 3000 {
		t.Errorf("%d of 10000 tasks are traced, want a quarter", n)
	}
}
