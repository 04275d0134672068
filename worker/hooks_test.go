package worker_test

import (
	"bytes"
	"context"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rollcall-dev/rollcall/worker"
	"github.com/rollcall-dev/rollcall/worker/rollcall"
)

// TestHooks_OfAService_AreCalledInTheirOrder starts a service, adds jobs in each way, and stops it.
func TestHooks_OfAService_AreCalledInTheirOrder(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var got []string
	log := func(text string) { mu.Lock(); got = append(got, text); mu.Unlock() }
	sell := worker.Define("sell", func(context.Context, *worker.Job[product]) error { log("handler"); return nil })
	kinds := worker.NewRegistry(sell)
	started := make(chan struct{})
	kinds.OnStart(func(context.Context) error { log("start"); close(started); return nil })
	kinds.OnStop(func(context.Context) error { log("stop"); return nil })
	kinds.UseClient(func(next worker.Submit) worker.Submit {
		return func(ctx context.Context, s *worker.Submission) error {
			if s.Name == "refused" {
				return worker.Fail("CLOSED", "The shop is closed.")
			}
			log(s.Source)
			s.Labels = maps.Clone(s.Labels)
			if s.Labels == nil {
				s.Labels = map[string]string{}
			}
			s.Labels["seen"] = s.Kind
			return next(ctx, s)
		}
	})
	service, err := rollcall.New(t.Context(), rollcall.Options{Kinds: kinds, DataDir: t.TempDir()})
	fine(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- service.Run(ctx) }()
	<-started
	c := service.Client()

	ref, err := sell.Enqueue(ctx, c, anvil("a"))
	fine(t, err)
	task := c.Find("default", ref.TaskID)
	_, err = task.Wait(ctx)
	fine(t, err)
	made, err := task.Get(ctx)
	fine(t, err)
	if made.Labels["seen"] != "sell" {
		t.Errorf("labels %v", made.Labels)
	}
	rows := func(yield func(product, error) bool) { yield(anvil("b"), nil) }
	task, err = sell.Task(ctx, c, "spring", rows)
	fine(t, err)
	_, err = task.Wait(ctx)
	fine(t, err)
	if _, err := sell.Enqueue(ctx, c, anvil("c"), worker.Name("refused")); err == nil || err.Error() != "CLOSED: The shop is closed." {
		t.Errorf("a refused job: %v", err)
	}
	if code, _ := upload(t, service.Handler(), "file.csv"); code != http.StatusAccepted {
		t.Errorf("upload: %d", code)
	}
	if code, text := upload(t, service.Handler(), "refused"); code/100 != 4 || !strings.Contains(text, "The shop is closed.") {
		t.Errorf("a refused upload: %d %s", code, text)
	}
	stop()
	fine(t, <-ended)
	mu.Lock()
	defer mu.Unlock()
	jobs := slices.DeleteFunc(slices.Clone(got), func(s string) bool { return s == "handler" })
	if want := []string{"start", "job", "task", "import", "stop"}; !slices.Equal(jobs, want) || got[len(got)-1] != "stop" {
		t.Errorf("called %q, want %q", got, want)
	}
}

// upload sends a file with the name of its task, and returns the response.
func upload(t *testing.T, h http.Handler, name string) (code int, text string) {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_, _ = form.WriteField("kind", "sell"), form.WriteField("name", name) // writes to memory do not fail
	part, err := form.CreateFormFile("file", "file.csv")
	fine(t, err)
	_, _ = part.Write([]byte("SKU,Price\nd,1\n"))
	_ = form.Close()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/api/v1/tasks", &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.RemoteAddr = "127.0.0.1:4000"
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}
