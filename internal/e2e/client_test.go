package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/samples"
)

// task holds the fields of a polled task that the tests read.
type task struct {
	ID       string
	Status   string
	Done     bool
	Outcome  string
	Counts   counts
	Progress struct {
		Processed int
		Percent   *int
	}
	Errors []struct {
		EventID string `json:"event_id"`
		Row     int
		Status  string
		Code    string
		Column  string
		Message string
	}
	ErrorGroups []struct {
		Code  string
		Count int
	} `json:"error_groups"`
	Problem *struct{ Code, Detail string }
	Source  *struct {
		FileID string `json:"file_id"`
	}
	Version int
}

type counts struct {
	Total, Enqueue, Working, Finish, Failed, Error, Canceled, Retrying, Superseded int
	TotalIsFinal                                                                   bool `json:"total_is_final"`
}

func (c counts) sum() int {
	return c.Enqueue + c.Working + c.Finish + c.Failed + c.Error + c.Canceled
}

var client = &http.Client{Timeout: 60 * time.Second}

// sample writes a product file and returns the expected outcome.
func sample(t *testing.T, opt samples.Options) (path string, want samples.Counts) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "products."+opt.Format)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if want, err = samples.Write(f, opt); err != nil {
		t.Fatal(err)
	}
	return path, want
}

// upload posts a file and returns the response, whatever its status. The argument `options` is JSON.
func upload(t *testing.T, url, path string, options ...string) (*http.Response, []byte) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	if err := w.WriteField("kind", "products.import"); err != nil {
		t.Fatal(err)
	}
	if err := w.WriteField("options", strings.Join(options, "")); err != nil {
		t.Fatal(err)
	}
	part, err := w.CreateFormFile("file", filepath.Base(path))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	resp, err := client.Post(url+"/api/v1/tasks", w.FormDataContentType(), &body)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, answer
}

// start uploads a file that must be accepted.
func start(t *testing.T, url, path string, options ...string) task {
	t.Helper()
	resp, body := upload(t, url, path, options...)
	if resp.StatusCode != http.StatusAccepted {
		t.Fatalf("upload: %s %s", resp.Status, body)
	}
	var v task
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatal(err)
	}
	if got, want := resp.Header.Get("Location"), "/api/v1/tasks/"+v.ID; got != want {
		t.Errorf("Location = %q, want %q", got, want)
	}
	return v
}

// get reads a path of the API into v.
func get(t *testing.T, url string, v any) {
	t.Helper()
	body, err := fetch(url)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(body, v); err != nil {
		t.Fatalf("%s: %v in %s", url, err, body)
	}
}

func fetch(url string) ([]byte, error) {
	resp, err := client.Get(url)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s %s", url, resp.Status, body)
	}
	return body, err
}

// patience is the longest time that a test waits for one condition, on a slow machine.
const patience = 4 * time.Minute

// between is the pause between two polls. Polls take processor time from the processes under test.
const between = 50 * time.Millisecond

// follow polls a task until the condition holds, and checks the invariants at each poll. Each poll
// must be answered.
func follow(t *testing.T, url, id string, until func(task) bool) task {
	t.Helper()
	deadline := time.Now().Add(patience)
	var last task
	for time.Now().Before(deadline) {
		body, err := fetch(url + "/api/v1/tasks/" + id)
		if err != nil {
			t.Fatal(err)
		}
		var v task
		if err := json.Unmarshal(body, &v); err != nil {
			t.Fatal(err)
		}
		v.mustAddUp(t, last)
		if until(v) {
			return v
		}
		last = v
		time.Sleep(between)
	}
	stats, _ := fetch(url + "/api/v1/stats") // only to explain the failure
	t.Fatalf("task %s is still %s: %+v; queue: %s", id, last.Status, last.Counts, stats)
	return last
}

func (v task) mustAddUp(t *testing.T, before task) {
	t.Helper()
	if v.Counts.sum() != v.Counts.Total {
		t.Fatalf("counts do not sum to the total: %+v", v.Counts)
	}
	if v.Version < before.Version || v.Counts.Total < before.Counts.Total {
		t.Fatalf("went back: version %d after %d, total %d after %d",
			v.Version, before.Version, v.Counts.Total, before.Counts.Total)
	}
	p := v.Progress.Percent
	if p != nil && *p == 100 && !v.Done || v.Done && (p == nil || *p != 100) {
		t.Fatalf("percent %v, done %v", p, v.Done)
	}
}

func done(v task) bool { return v.Done }

// listen reads a task's stream to its end, and checks every event. It sends the last one to the
// returned channel.
func listen(t *testing.T, url, id string) <-chan task {
	t.Helper()
	out := make(chan task, 1)
	resp, err := http.Get(url + "/api/v1/tasks/" + id + "/stream")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer resp.Body.Close()
		var last task
		event := ""
		lines := bufio.NewScanner(resp.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				event = name
			}
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			if !ok {
				continue
			}
			var v task
			if err := json.Unmarshal([]byte(data), &v); err != nil || v.Counts.sum() != v.Counts.Total ||
				v.Version < last.Version || v.Done != (event == "done") {
				t.Errorf("stream: %s %s (%v)", event, data, err)
			}
			last = v
		}
		out <- last
	}()
	return out
}

// processed returns the condition that n rows have ended, or that the task is done.
func processed(n int) func(task) bool {
	return func(v task) bool { return v.Progress.Processed >= n || v.Done }
}

// refusedUpload uploads a file that the service cannot store, and checks the status of the response.
func refusedUpload(t *testing.T, url, path string, status int) {
	t.Helper()
	resp, body := upload(t, url, path)
	var v struct{ Code string }
	if err := json.Unmarshal(body, &v); err != nil || resp.StatusCode != status {
		t.Errorf("upload: %s %s, want %d", resp.Status, body, status)
	}
	if resp.StatusCode == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") == "" {
		t.Error("it is not told when to try again")
	}
}

// taskIDs lists the tasks of a service.
func taskIDs(t *testing.T, url string) (ids []string) {
	t.Helper()
	resp, err := client.Get(url + "/api/v1/tasks")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	var v struct{ Items []task }
	if err == nil {
		err = json.Unmarshal(body, &v)
	}
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("tasks: %s %s, %v", resp.Status, body, err)
	}
	for _, one := range v.Items {
		ids = append(ids, one.ID)
	}
	return ids
}

// filesIn lists a folder.
func filesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}
