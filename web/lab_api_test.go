package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/idempotency"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/mappings"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/internal/tasklist"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/internal/uploads"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web"
)

// lab is the API on real stores, with a clock and workers that the test controls.
type lab struct {
	t      testing.TB
	api    *web.Server
	url    string
	opt    web.Options
	db     *ledger.DB
	redis  *miniredis.Miniredis
	folder string // of the files
	log    *logBook
	now    *atomic.Int64 // unix ms
	ended  *atomic.Int64 // number of ended requests
	secret string        // of the API key that requests bring; "" for none
	tenant string        // of the tasks that the lab reads and changes
}

// dawn is the start time of a lab's clock.
var dawn = time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.UTC)

func newLab(t testing.TB, tune ...func(*web.Options)) *lab {
	t.Helper()
	return newLabOn(t, ledgers.SQLite(t), tune...)
}

// newLabOn is like newLab, on a given database.
func newLabOn(t testing.TB, url string, tune ...func(*web.Options)) *lab {
	t.Helper()
	l := &lab{
		t: t, folder: filepath.Join(t.TempDir(), "blobs"), log: &logBook{}, now: &atomic.Int64{},
		ended: &atomic.Int64{}, tenant: "default",
	}
	l.now.Store(dawn.UnixMilli())
	l.redis = miniredis.RunT(t)
	service := fixture.New(t, fixture.Options{
		Ledger: url, Redis: "redis://" + l.redis.Addr(), Folder: l.folder, Now: l.clock, Kinds: sampleKinds,
	})
	db := service.DB
	l.db = db
	l.opt = web.Options{
		Lists: tasklist.New(db), Uploads: uploads.New(db, service.Files, uploads.Options{Now: l.clock}), Mappings: mappings.New(db, l.clock),
		Tasks: service.Tasks, Events: service.Events, Notify: service.Notify,
		Audit:       audit.New(db, l.clock),
		Tenants:     operate.NewTenants(db, service.Files, "", l.clock),
		Schedules:   schedules.New(db, schedules.Options{Now: l.clock}),
		Access:      access.New(db, access.Options{Now: l.clock}),
		Secret:      func(ctx context.Context) ([]byte, error) { return db.Secret(ctx, "cursors") },
		Idempotency: idempotency.New(db, idempotency.Options{Now: l.clock}),
		Files:       service.Files, Kinds: service.Kinds, Now: l.clock, Ready: db.Ping, Fresh: time.Nanosecond,
		Log: slog.New(slog.NewTextHandler(l.log, nil)),
	}
	for _, f := range tune {
		f(&l.opt)
	}
	if l.opt.Queue == nil {
		l.opt.Queue = queue.NewClient(service.Redis, queue.ClientOptions{Queues: l.opt.Kinds.Queues(), Now: l.clock})
	}
	l.serve()
	return l
}

// serve starts another process, which answers the requests of the lab.
func (l *lab) serve() {
	api := web.New(l.opt)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer l.ended.Add(1)
		api.ServeHTTP(w, r)
	}))
	l.t.Cleanup(srv.Close)
	l.api, l.url = api, srv.URL
}

// twin returns a lab with another process on the same ledger.
func (l *lab) twin() *lab {
	twin := *l
	twin.serve()
	return &twin
}

// in returns the lab for a subtest.
func (l *lab) in(t testing.TB) *lab {
	sub := *l
	sub.t = t
	return &sub
}

func (l *lab) clock() time.Time { return time.UnixMilli(l.now.Load()) }

func (l *lab) pass(d time.Duration) { l.now.Add(d.Milliseconds()) }

// logBook holds the logged lines.
type logBook struct {
	lines atomic.Pointer[string]
}

func (b *logBook) Write(p []byte) (int, error) {
	for {
		old := b.lines.Load()
		text := string(p)
		if old != nil {
			text = *old + text
		}
		if b.lines.CompareAndSwap(old, &text) {
			return len(p), nil
		}
	}
}

func (b *logBook) String() string {
	if text := b.lines.Load(); text != nil {
		return *text
	}
	return ""
}

// reply is a response of the API, read to its end.
type reply struct {
	t      testing.TB
	status int
	header http.Header
	body   string
}

func (l *lab) call(method, path, body string, header ...string) reply {
	l.t.Helper()
	return l.send(method, path, strings.NewReader(body), header...)
}

func (l *lab) send(method, path string, body io.Reader, header ...string) reply {
	l.t.Helper()
	r, err := l.try(method, path, body, header...)
	fine(l.t, err)
	return r
}

// try sends a request, without following redirects. Several goroutines may call it.
func (l *lab) try(method, path string, body io.Reader, header ...string) (reply, error) {
	req, err := http.NewRequestWithContext(l.t.Context(), method, l.url+path, body)
	if err != nil {
		return reply{}, err
	}
	if l.secret != "" {
		req.Header.Set("Authorization", "Bearer "+l.secret)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := watch{l.t}.RoundTrip(req)
	if err != nil {
		return reply{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return reply{l.t, res.StatusCode, res.Header, string(text)}, err
}

// read reads a response to its end.
func read(t testing.TB, res *http.Response) reply {
	t.Helper()
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	fine(t, err)
	return reply{t, res.StatusCode, res.Header, string(text)}
}

func (l *lab) look(path string, header ...string) reply {
	l.t.Helper()
	return l.call(http.MethodGet, path, "", header...)
}

// object returns the body of a JSON response.
func (r reply) object() map[string]any {
	r.t.Helper()
	var out map[string]any
	if err := json.Unmarshal([]byte(r.body), &out); err != nil {
		r.t.Fatalf("%d %q: %v", r.status, r.body, err)
	}
	return out
}

// items returns the objects of a page, and the cursor of the next.
func (r reply) items() (list []map[string]any, next string) {
	r.t.Helper()
	r.is(http.StatusOK)
	o := r.object()
	for _, item := range o["items"].([]any) {
		list = append(list, item.(map[string]any))
	}
	if _, versioned := o["version"]; len(o) != 2 && !versioned {
		r.t.Errorf("a page has %v, want items and next_cursor", o)
	}
	next, _ = o["next_cursor"].(string)
	return list, next
}

func (r reply) is(status int) {
	r.t.Helper()
	if r.status != status {
		r.t.Fatalf("status %d, want %d: %s", r.status, status, r.body)
	}
}

// refuses checks a problem document.
func (r reply) refuses(status int, code string, says ...string) {
	r.t.Helper()
	o := r.object()
	if r.status != status || o["code"] != code {
		r.t.Fatalf("got %d %v, want %d %s: %s", r.status, o["code"], status, code, r.body)
	}
	for _, name := range []string{"type", "title", "detail", "instance", "request_id"} {
		if text, _ := o[name].(string); text == "" {
			r.t.Errorf("%s: no %s in %s", code, name, r.body)
		}
	}
	if o["status"] != float64(status) || o["request_id"] != r.header.Get("X-Request-Id") ||
		r.header.Get("Content-Type") != "application/problem+json" ||
		r.header.Get("Cache-Control") != "no-store" {
		r.t.Errorf("%s: headers %v, body %s", code, r.header, r.body)
	}
	for _, text := range says {
		if !strings.Contains(r.body, text) {
			r.t.Errorf("%s does not say %q: %s", code, text, r.body)
		}
	}
}

// same compares a response with JSON.
func (r reply) same(want string) {
	r.t.Helper()
	var w any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		r.t.Fatalf("%v in %s", err, want)
	}
	if diff := cmp.Diff(w, any(r.object())); diff != "" {
		r.t.Errorf("answer (-want +got):\n%s", diff)
	}
}

const multipartType = "multipart/form-data; boundary=frontier"

// field returns a part of a form with a field. The function `file` returns a part with a file, and `form`
// joins parts.
func field(name, value string) string {
	return "--frontier\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n"
}

func file(name, content string) string {
	return "--frontier\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + name +
		"\"\r\n\r\n" + content + "\r\n"
}

func form(parts ...string) string { return strings.Join(parts, "") + "--frontier--\r\n" }

func (l *lab) postForm(parts ...string) reply {
	l.t.Helper()
	return l.call(http.MethodPost, "/api/v1/tasks", form(parts...), "Content-Type", multipartType)
}

// upload sends a file as the sample kind. options may be "".
func (l *lab) upload(name, content, options string) reply {
	l.t.Helper()
	return l.postForm(field("kind", "products.import"), field("options", options), file(name, content))
}

// accepted uploads a file and returns the id of its task.
func (l *lab) accepted(name, content, options string) string {
	l.t.Helper()
	r := l.upload(name, content, options)
	r.is(http.StatusAccepted)
	return r.object()["id"].(string)
}

// split reads all waiting files.
func (l *lab) split() {
	l.t.Helper()
	s := importers.NewSplitter(l.opt.Tasks, l.opt.Events, l.opt.Files, l.opt.Kinds,
		importers.SplitterOptions{Limits: l.opt.Limits})
	for {
		task, claim, err := l.opt.Tasks.Picker(tasks.Reading, l.opt.Kinds.Names(), 1).Next(l.t.Context(), time.Minute)
		fine(l.t, err)
		if task == nil {
			return
		}
		fine(l.t, s.Split(l.t.Context(), task, claim))
	}
}

func (l *lab) task(id string) *tasks.Task {
	l.t.Helper()
	task, err := l.opt.Tasks.Get(l.t.Context(), l.tenant, id)
	fine(l.t, err)
	return task
}

// move moves waiting rows to a status, as a worker would.
func (l *lab) move(id string, to events.Status, f *events.Failure, seqs ...int64) {
	l.t.Helper()
	num := l.task(id).Num
	var moves []events.Move
	for _, seq := range seqs {
		m := events.Move{
			ID: events.NewID(num, seq), Row: int(seq) + 1, From: events.Enqueue, To: to, Attempt: 1,
			Failure: f, StartedAt: l.now.Load(),
		}
		if to == events.Canceled {
			m.Attempt = 0 // no attempt has begun
		}
		if to.AtRest() {
			m.FinishedAt = l.now.Load()
		}
		moves = append(moves, m)
	}
	made, err := l.opt.Events.Record(l.t.Context(), moves)
	fine(l.t, err)
	for i := range made {
		if !made[i] {
			l.t.Fatalf("row %d was not moved to %s", seqs[i], to)
		}
	}
}

// nothingLeft checks that no file and no task is stored.
func (l *lab) nothingLeft() {
	l.t.Helper()
	left, err := os.ReadDir(l.folder)
	fine(l.t, err)
	list, err := l.opt.Tasks.List(context.Background(), l.tenant, tasks.Filter{})
	fine(l.t, err)
	if len(left) != 0 || len(list) != 0 {
		l.t.Fatalf("left behind: %d files, %d tasks", len(left), len(list))
	}
}

const heads = "SKU,Name,Price,Brand\n"

// rows returns n good rows under the headings.
func rows(n int) string {
	var b bytes.Buffer
	b.WriteString(heads)
	for i := range n {
		fmt.Fprintf(&b, "S%d,n,1.50,Acme\n", i)
	}
	return b.String()
}

// seqs counts from 1 to n.
func seqs(n int64) []int64 {
	var out []int64
	for i := range n {
		out = append(out, i+1)
	}
	return out
}

func fine(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
