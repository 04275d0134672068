package workertest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// Task is a task of the service under test.
type Task struct {
	ID string

	h   *Harness
	ref *worker.TaskRef
}

// Task returns the task with the given id, of any tenant. It does not check that the task exists.
func (h *Harness) Task(id string) *Task {
	h.t.Helper()
	return h.taskOf(h.tenantOf(id), id)
}

func (h *Harness) taskOf(tenant, id string) *Task {
	return &Task{ID: id, h: h, ref: h.Client().Find(tenant, id)}
}

// Tasks returns the newest 500 tasks of a kind and of the tenant "default", oldest first. It includes
// the tasks that handlers created, one per call of Enqueue.
func (h *Harness) Tasks(kind string) []*Task {
	h.t.Helper()
	list, err := h.boot.Tasks().List(h.t.Context(), "default", tasks.Filter{Kind: kind, Limit: 500})
	if err != nil {
		h.t.Fatal(err)
	}
	var out []*Task
	for _, t := range slices.Backward(list) {
		out = append(out, h.taskOf("default", t.ID))
	}
	return out
}

// Import uploads a file through the API, like a user. It ends the test if the API rejects the file.
func (h *Harness) Import(kind, path string) *Task {
	h.t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		h.t.Fatal(err)
	}
	return h.upload(kind, filepath.Base(path), content)
}

// ImportText imports a CSV file with the given text, like Import.
func (h *Harness) ImportText(kind, text string) *Task {
	h.t.Helper()
	return h.upload(kind, "test.csv", []byte(text))
}

func (h *Harness) upload(kind, name string, content []byte) *Task {
	h.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("kind", kind) // writes to memory do not fail
	part, err := form.CreateFormFile("file", name)
	if err != nil {
		h.t.Fatal(err)
	}
	_, _ = part.Write(content)
	_ = form.Close()
	req := httptest.NewRequestWithContext(h.t.Context(), http.MethodPost, "http://localhost/api/v1/tasks", &body)
	req.Header.Set("Content-Type", form.FormDataContentType())
	var made struct{ ID string }
	h.ask(req, http.StatusAccepted, &made)
	return h.Task(made.ID)
}

// ask sends a request to the API, and decodes the response into v. It ends the test unless the
// response has the wanted status.
func (h *Harness) ask(req *http.Request, want int, v any) {
	h.t.Helper()
	req.RemoteAddr = "127.0.0.1:1" // without API keys, requests of this machine have the rights of the owner
	rec := httptest.NewRecorder()
	h.Handler().ServeHTTP(rec, req)
	if rec.Code != want {
		h.t.Fatalf("%s %s: %d %s", req.Method, req.URL, rec.Code, rec.Body)
	}
	if err := json.Unmarshal(rec.Body.Bytes(), v); err != nil {
		h.t.Fatal(err)
	}
}

// Wait waits until the task is done, and returns its status. If jobs wait for a retry or for
// another later time, call Harness.Advance before Wait.
func (k *Task) Wait() tasks.Status {
	k.h.t.Helper()
	var status tasks.Status
	k.h.until("the task to be done", func(ctx context.Context) (bool, string) {
		t, err := k.ref.Get(ctx)
		if err != nil {
			return false, err.Error()
		}
		status = t.Status
		return status.Done(), fmt.Sprintf("it is %s, %+v", status, t.Counts)
	})
	return status
}

// RequireCounts waits until the jobs of the task have the given counts. It ends the test as failed
// after a minute, or at once if the task is done with other counts. It ignores want.Total and uses
// the sum of the other counts.
func (k *Task) RequireCounts(want worker.Counts) {
	k.h.t.Helper()
	want.Total = want.Enqueue + want.Working + want.Finish + want.Failed + want.Error + want.Canceled
	k.h.until(fmt.Sprintf("%+v", want), func(ctx context.Context) (bool, string) {
		t, err := k.ref.Get(ctx)
		if err != nil {
			return false, err.Error()
		}
		got := t.Counts
		if t.Status.Done() && got != want {
			k.h.t.Fatalf("the task is %s, but its counts differ:\n got %+v\nwant %+v", t.Status, got, want)
		}
		return t.TotalIsFinal && got == want, fmt.Sprintf("it is %s, %+v", t.Status, got)
	})
}

// Row is one row of a task, as the API returns it.
type Row struct {
	ID      string // id of its job
	Row     int    // row number in the file, as people see it
	Status  string // "finish", "failed", …
	Attempt int
	Code    string // empty without a failure, like the next four fields
	Column  string
	Value   string
	Message string
	Hint    string
	Result  json.RawMessage
}

// Rows returns the first 500 rows of the task in their current state. The task must belong to the tenant
// "default", since without API keys the API serves only this tenant.
func (k *Task) Rows() []Row {
	k.h.t.Helper()
	req := httptest.NewRequestWithContext(k.h.t.Context(), http.MethodGet,
		"http://localhost/api/v1/tasks/"+k.ID+"/events?limit=500", http.NoBody)
	var page struct{ Items []Row }
	k.h.ask(req, http.StatusOK, &page)
	return page.Items
}
