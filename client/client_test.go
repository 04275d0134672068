package client_test

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/client"
	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// service starts the whole service and returns its address.
func service(t *testing.T) string {
	t.Helper()
	api := testenv.StartProcess(t, testenv.Binary(t, "./cmd/api"),
		[]string{"LISTEN=127.0.0.1:0", "DATA_DIR=data", "BUILD=tested"})
	return api.URL()
}

func connect(t *testing.T, address string, opt client.Options) *client.Client {
	t.Helper()
	c, err := client.New(address, opt)
	fine(t, err)
	return c
}

// TestService runs the methods of a client against one service.
func TestService(t *testing.T) {
	t.Parallel()
	address := service(t)
	for name, story := range map[string]func(*testing.T, string){
		"a file is uploaded, waited for, repaired and run again": testReview,
		"a task is built step by step":                           testOpenTask,
		"a task starts later":                                    testRunAt,
		"a task starts after another one":                        testAfter,
		"rows of all tasks are canceled, skipped and repaired":   testRowsOfAllTasks,
		"a refusal is a problem":                                 testProblem,
		"many wait for one task":                                 testPolite,
		"a service that is away for a moment is asked again":     testAway,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			story(t, address)
		})
	}
}

// testRunAt creates a task of rows that starts in an hour.
func testRunAt(t *testing.T, address string) {
	ctx, c := t.Context(), connect(t, address, client.Options{})
	at := time.Now().Add(time.Hour).Truncate(time.Millisecond)
	row := map[string]any{"SKU": "L1", "Name": "Later", "Price": 1, "Brand": "Acme"}
	task, err := c.Create(ctx, client.Batch{
		Kind: "products.import", Rows: []any{row}, Options: client.ImportOptions{RunAt: at},
	})
	fine(t, err)
	if task, err = c.Task(ctx, task.ID); err != nil || task.RunAt == nil || !task.RunAt.Equal(at) || task.Counts.Enqueue != 1 {
		t.Fatalf("the task is %+v, %v; want one that starts at %v", task, err, at)
	}
	task, err = c.Cancel(ctx, task.ID)
	fine(t, err)
	if task, err = c.Wait(ctx, task.ID, nil); err != nil || task.Counts.Canceled != 1 {
		t.Errorf("the canceled task is %+v, %v", task, err)
	}
}

// testAfter creates a task that starts after a task that is still open.
func testAfter(t *testing.T, address string) {
	ctx, c := t.Context(), connect(t, address, client.Options{})
	row := func(sku string) []any {
		return []any{map[string]any{"SKU": sku, "Name": "In turn", "Price": 1, "Brand": "Acme"}}
	}
	first, err := c.Create(ctx, client.Batch{Kind: "products.import", Open: true, Rows: row("T1")})
	fine(t, err)
	next, err := c.Create(ctx, client.Batch{
		Kind: "products.import", Rows: row("T2"),
		Options: client.ImportOptions{After: []string{first.ID}, AfterOutcome: "success"},
	})
	fine(t, err)
	next, err = c.Task(ctx, next.ID)
	fine(t, err)
	if a := next.After; a == nil || !slices.Equal(a.Tasks, []string{first.ID}) || a.Outcome != "success" || a.Waiting != 1 {
		t.Errorf("the task starts after %+v", a)
	}
	if first.After != nil {
		t.Errorf("the first task starts after %+v", first.After)
	}
	tree, err := c.Tree(ctx, next.ID)
	fine(t, err)
	if tree.TaskID != next.ID || tree.Done || tree.Percent != nil || tree.More || tree.Counts.Total != 2 || tree.Counts.Finish > 1 ||
		len(tree.Tasks) != 2 || tree.Tasks[0].ID != next.ID || tree.Tasks[0].After.Waiting != 1 || tree.Tasks[1].ID != first.ID {
		t.Errorf("the tree is %+v", tree)
	}
	_, err = c.Close(ctx, first.ID)
	fine(t, err)
	next, err = c.Wait(ctx, next.ID, nil)
	fine(t, err)
	if tree, err = c.Tree(ctx, next.ID); err != nil || !tree.Done || *tree.Percent != 100 || tree.Counts.Finish != 2 {
		t.Errorf("the tree at the end is %+v, %v", tree, err)
	}
}

func testReview(t *testing.T, address string) {
	ctx, c := t.Context(), connect(t, address, client.Options{})
	file, err := os.Open("../testdata/products.xlsx")
	fine(t, err)
	defer file.Close()
	task, err := c.Upload(ctx, client.Upload{
		Kind: "products.import", FileName: "products.xlsx", File: file, Name: "Spring",
		Options: client.ImportOptions{Labels: map[string]string{"season": "spring"}},
	})
	fine(t, err)
	if task.Name != "Spring" || task.Labels["season"] != "spring" || task.Done {
		t.Errorf("the task is %+v", task)
	}
	task, err = c.Wait(ctx, task.ID, nil)
	fine(t, err)
	if task.Counts.Finish != 180 || task.Counts.Failed != 20 || *task.Progress.Percent != 100 {
		t.Fatalf("counts %+v, want 180 finished and 20 failed", task.Counts)
	}
	findRan(t, c, task)
	brand := repairOne(t, c, task)
	out, err := c.Resubmit(ctx, task.ID, client.BulkAction{
		Filter: client.Filter{Code: "BRAND_UNKNOWN"}, Set: client.Cells{"Brand": client.Text("Acme")},
	})
	fine(t, err)
	if out.Resubmitted != brand {
		t.Errorf("%d rows run again, want the %d of an unknown brand: %+v", out.Resubmitted, brand, out)
	}
	task, err = c.Wait(ctx, task.ID, nil)
	fine(t, err)
	over := task.Counts.Superseded // repaired rows behind newer ones of their keys
	if task.Counts.Finish != 180+brand-over || over != out.Superseded || over == 0 || task.Round != 2 {
		t.Errorf("round %d has %+v, want %d finished or superseded", task.Round, task.Counts, 180+brand)
	}
	result, err := c.Result(ctx, task.ID, "csv", "failed")
	fine(t, err)
	defer result.Close()
	lines, err := csv.NewReader(result).ReadAll()
	fine(t, err)
	if want := task.Counts.Failed - over; int64(len(lines)) != 1+want {
		t.Errorf("the result has %d rows, want the headings and %d", len(lines), want)
	}
}

// findRan reads the attempts of failed rows, and checks that the filter Build finds the finished rows.
func findRan(t *testing.T, c *client.Client, task *client.Task) {
	t.Helper()
	build := ""
	for e, err := range c.Events(t.Context(), task.ID, client.Filter{Status: "failed"}) {
		fine(t, err)
		if e.Attempt == 0 { // it was invalid in the file
			continue
		}
		if len(e.Attempts) != 1 || e.Attempts[0].Outcome != "failed" || e.Attempts[0].Code != e.Code || e.Attempts[0].EndedAt == nil {
			t.Fatalf("attempts of row %d: %+v", e.Row, e.Attempts)
		}
		build = e.Attempts[0].Build
	}
	count := func(f client.Filter) (n int64) {
		for _, err := range c.Events(t.Context(), task.ID, f) {
			fine(t, err)
			n++
		}
		return n
	}
	if build == "" {
		t.Error("no row names the program that ran it")
	}
	f := client.Filter{Build: build, Status: "finish", FinishedGte: task.CreatedAt, FinishedLt: task.FinishedAt.Add(time.Second)}
	if n := count(f); n != task.Counts.Finish {
		t.Errorf("the program ran %d rows that finished, want %d", n, task.Counts.Finish)
	}
	for _, none := range []client.Filter{{Build: "none"}, {Fingerprint: "none"}, {FinishedLt: task.CreatedAt}} {
		if n := count(none); n != 0 {
			t.Errorf("%+v finds %d rows", none, n)
		}
	}
}

// repairOne repairs a row at the version that it has read, and checks that a second repair of this
// version is refused. It returns the number of rows with an unknown brand.
func repairOne(t *testing.T, c *client.Client, task *client.Task) (brands int64) {
	t.Helper()
	one, all := "", 0
	for e, err := range c.Errors(t.Context(), task.ID, client.Filter{}) {
		fine(t, err)
		all++
		if e.Code == "BRAND_UNKNOWN" {
			brands, one = brands+1, e.EventID
		}
	}
	if all != 20 || one == "" {
		t.Fatalf("%d errors, want 20; an unknown brand: %q", all, one)
	}
	row, err := c.Event(t.Context(), one)
	fine(t, err)
	fixed, err := c.Repair(t.Context(), one, row.Version,
		client.Patch{Params: client.Cells{"Brand": client.Text("Globex")}, Note: "as the shop calls it"})
	fine(t, err)
	if fixed.Version == row.Version || !strings.Contains(string(fixed.Params), "Globex") {
		t.Errorf("the row is %+v, want another version with another brand", fixed)
	}
	_, err = c.Repair(t.Context(), one, row.Version, client.Patch{Note: "too late"})
	var p *client.Problem
	if !errors.As(err, &p) || p.Code != "ROW_CHANGED" || p.Version != fixed.Version {
		t.Errorf("repairing what has changed: %v, want ROW_CHANGED with version %d", err, fixed.Version)
	}
	return brands
}

type product struct {
	SKU, Name, Brand string
	Price            float64
}

func testOpenTask(t *testing.T, address string) {
	ctx, c := t.Context(), connect(t, address, client.Options{})
	var rows []any
	for i := range 1200 {
		rows = append(rows, product{fmt.Sprint("open", i), "n", "Acme", 1}) // keys of no other story
	}
	task, err := c.Create(ctx, client.Batch{Kind: "products.import", Open: true, Rows: rows})
	fine(t, err)
	added, err := c.Append(ctx, task.ID, []any{product{"open", "n", "Acme", 1}, product{SKU: "open"}})
	fine(t, err)
	if added.Accepted != 1 || added.Rejected != 1 || added.Items[1].Errors[0].Code != "REQUIRED" {
		t.Errorf("added %+v, want the first and not the second", added)
	}
	_, err = c.Pause(ctx, task.ID)
	fine(t, err)
	_, err = c.Resume(ctx, task.ID)
	fine(t, err)
	_, err = c.Close(ctx, task.ID)
	fine(t, err)
	seen := int64(-1)
	task, err = c.Wait(ctx, task.ID, func(t *client.Task) { seen = t.Counts.Finish })
	fine(t, err)
	if task.Status != "finished" || task.Counts.Finish != 1201 || seen != 1201 {
		t.Errorf("it ended as %s with %+v, last seen %d; want 1201 finished", task.Status, task.Counts, seen)
	}
	n := 0
	for e, err := range c.Events(ctx, task.ID, client.Filter{}) {
		fine(t, err)
		if n++; e.Seq != int64(n) {
			t.Fatalf("event %d of the list is %s", n, e.ID)
		}
	}
	if n != 1201 {
		t.Errorf("the list has %d rows, want 1201 over three pages", n)
	}
	for listed, err := range c.Tasks(ctx, "", "products.import") {
		fine(t, err)
		if listed.ID == task.ID {
			return
		}
	}
	t.Error("the list of tasks lacks the task")
}

func testProblem(t *testing.T, address string) {
	c := connect(t, address, client.Options{Language: "ru"})
	_, err := c.Upload(t.Context(), client.Upload{
		Kind: "products.import", FileName: "a.csv", File: strings.NewReader("Nonsense\n1\n"),
	})
	var p *client.Problem
	if !errors.As(err, &p) || p.Status != http.StatusUnprocessableEntity || p.Code != "MISSING_COLUMN" {
		t.Fatalf("a file without its columns: %v, want MISSING_COLUMN", err)
	}
	if len(p.Errors) == 0 || p.RequestID == "" || !strings.ContainsAny(p.Detail, "абвгд") {
		t.Errorf("the problem is %+v, want its columns, a request id and Russian", p)
	}
	_, err = c.Task(t.Context(), "0193c1f0-0000-7000-8000-000000000000")
	if !errors.As(err, &p) || p.Status != http.StatusNotFound {
		t.Errorf("a task that is not there: %v, want 404", err)
	}
	if _, err := client.New("localhost:8080", client.Options{}); err == nil {
		t.Error("an address without http:// was taken")
	}
}

// watched is a handler that counts the answers of a service by status.
type watched struct {
	http.Handler
	mu     sync.Mutex
	by     map[int]int
	keys   map[string]int // number of requests by idempotency key
	refuse func(*http.Request) int
	seen   func(status int) // called after each answer; may be nil
}

// between starts a proxy to the service. It returns the proxy, which counts responses, and its URL.
func between(t *testing.T, address string) (*watched, string) {
	t.Helper()
	to, err := url.Parse(address)
	fine(t, err)
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to); r.Out.Host = r.In.Host }}
	w := &watched{Handler: proxy, by: map[int]int{}, keys: map[string]int{}}
	proxy.ModifyResponse = func(res *http.Response) error { w.count(res.StatusCode); return nil }
	front := httptest.NewServer(w)
	t.Cleanup(front.Close)
	return w, front.URL
}

func (w *watched) count(status int) {
	w.mu.Lock()
	w.by[status]++
	seen := w.seen
	w.mu.Unlock()
	if seen != nil {
		seen(status)
	}
}

func (w *watched) answers(status int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.by[status]
}

func (w *watched) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	w.keys[r.Header.Get("Idempotency-Key")]++
	status := 0
	if w.refuse != nil {
		status = w.refuse(r)
	}
	w.mu.Unlock()
	if status != 0 {
		w.count(status)
		out.Header().Set("Retry-After", "1")
		out.WriteHeader(status)
		return
	}
	w.Handler.ServeHTTP(out, r)
}

// testPolite waits for a task that does not change until the client has requested a newer version.
func testPolite(t *testing.T, address string) {
	w, front := between(t, address)
	polls, asked := 0, make(chan struct{})
	w.refuse = func(r *http.Request) int {
		if r.Method == http.MethodGet {
			polls++
		}
		if r.Header.Get("If-None-Match") != "" && r.URL.Query().Get("wait") != "" && polls == 2 {
			close(asked)
		}
		return 0
	}
	ctx, c := t.Context(), connect(t, front, client.Options{})
	task, err := c.Create(ctx, client.Batch{Kind: "products.import", Open: true})
	fine(t, err)
	closed := make(chan error, 1)
	go func() {
		<-asked
		_, err := c.Close(ctx, task.ID)
		closed <- err
	}()
	versions := map[int64]int{}
	_, err = c.Wait(ctx, task.ID, func(t *client.Task) { versions[t.Version]++ })
	fine(t, err)
	fine(t, <-closed)
	for v, times := range versions {
		if times != 1 {
			t.Errorf("version %d was reported %d times", v, times)
		}
	}
}

// testAway refuses each request twice before it lets it through.
func testAway(t *testing.T, address string) {
	w, front := between(t, address)
	tried := map[string]int{}
	w.refuse = func(r *http.Request) int {
		if tried[r.Method]++; tried[r.Method] <= 2 {
			return []int{http.StatusServiceUnavailable, http.StatusTooManyRequests}[tried[r.Method]-1]
		}
		return 0
	}
	ctx, c := t.Context(), connect(t, front, client.Options{Tries: 3})
	task, err := c.Create(ctx, client.Batch{
		Kind: "products.import", Rows: []any{product{"S", "n", "Acme", 1}},
	})
	fine(t, err)
	_, err = c.Wait(ctx, task.ID, nil)
	fine(t, err)
	if w.answers(503) != 2 || w.answers(429) != 2 {
		t.Errorf("refused %v, want twice each", w.by)
	}
	for key, times := range w.keys {
		if key != "" && times != 3 {
			t.Errorf("the key %s came %d times, want the same one with all three tries", key, times)
		}
	}
	tried[http.MethodGet] = 0
	_, err = connect(t, front, client.Options{Tries: 1}).Task(ctx, task.ID)
	var p *client.Problem
	if !errors.As(err, &p) || p.Status != http.StatusServiceUnavailable || p.RetryAfter != time.Second {
		t.Errorf("one try of a service that is away: %v, want 503 and when to come back", err)
	}
}

// TestUploadIsStreamed sends the second half of a file only when a part of the first half has arrived.
func TestUploadIsStreamed(t *testing.T) {
	t.Parallel()
	half := strings.Repeat("x", 1<<20)
	arrived := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if _, err := io.CopyN(io.Discard, r.Body, 1<<19); err != nil {
			t.Error(err)
		}
		close(arrived)
		if n, err := io.Copy(io.Discard, r.Body); err != nil || n < 1<<20 {
			t.Errorf("the rest has %d bytes, %v", n, err)
		}
		_, _ = io.WriteString(out, `{"id":"t"}`) // a client that is gone has failed the test
	}))
	t.Cleanup(s.Close)
	task, err := connect(t, s.URL, client.Options{}).Upload(t.Context(), client.Upload{
		Kind: "k", FileName: "f.csv",
		File: io.MultiReader(strings.NewReader(half), after(arrived), strings.NewReader(half)),
	})
	fine(t, err)
	if task.ID != "t" {
		t.Errorf("the task is %+v", task)
	}
}

// after is an empty reader that blocks until its channel is closed.
type after <-chan struct{}

func (a after) Read([]byte) (int, error) { <-a; return 0, io.EOF }

// TestComeBackLater: if the service asks for a pause of a minute, the client does not retry, and
// returns the error at once.
func TestComeBackLater(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		out.Header().Set("Retry-After", "60")
		out.WriteHeader(http.StatusTooManyRequests)
	}))
	t.Cleanup(s.Close)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Second)
	defer cancel()
	_, err := connect(t, s.URL, client.Options{}).Create(ctx, client.Batch{Kind: "k", Open: true})
	var p *client.Problem
	if !errors.As(err, &p) || p.RetryAfter != time.Minute || asked.Load() != 1 {
		t.Errorf("%d tries, %v: want one, and when to come back", asked.Load(), err)
	}
}

// TestSilence: a call fails if the service stops in the middle of its answer.
func TestSilence(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(out, `{"id":`)
		_ = http.NewResponseController(out).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(s.Close)
	c := connect(t, s.URL, client.Options{Timeout: 50 * time.Millisecond, Tries: 1})
	if task, err := c.Task(t.Context(), "x"); err == nil {
		t.Errorf("half an answer made %+v", task)
	}
}

func fine(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
