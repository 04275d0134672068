package web_test

import (
	"bytes"
	"context"
	"html"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/dispatch"
	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/middleware"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web"
	"github.com/rollcall-dev/rollcall/worker"
)

// site is the pages on real stores. Its workers run only after work.
type site struct {
	t      *testing.T
	url    string
	client *http.Client // keeps no cookies, follows no redirects

	tasks  *tasks.Store
	events *events.Store
	files  *blobs.Dir
	kinds  *worker.Registry
	queue  *queue.Client
	rdb    *redis.Client
	epoch  func(context.Context) (int64, error)
}

// newSite opens everything; tune changes the options of the server.
func newSite(t *testing.T, tune ...func(*web.Options)) *site {
	t.Helper()
	dir := t.TempDir()
	db, err := ledger.Open(t.Context(), ledgers.SQLite(t), ledger.Options{})
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	files, err := blobs.Open(filepath.Join(dir, "blobs"))
	must(t, err)
	t.Cleanup(func() { must(t, files.Close()) })
	rdb := redis.NewClient(&redis.Options{Addr: miniredis.RunT(t).Addr()})
	t.Cleanup(func() { must(t, rdb.Close()) })

	kinds := sampleKinds(db)
	spec := queue.Spec{Name: "products.import", Shards: 5}
	s := &site{
		t: t, files: files, kinds: kinds, rdb: rdb, epoch: db.NextEpoch,
		tasks: tasks.New(db, tasks.Options{}), events: events.New(db, events.Options{}),
		queue: queue.NewClient(rdb, queue.ClientOptions{Queues: []queue.Spec{spec}}),
		client: &http.Client{Transport: watch{t}, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}},
	}
	opt := web.Options{Tasks: s.tasks, Audit: audit.New(db, nil), Events: s.events, Files: files, Kinds: kinds, Queue: s.queue}
	for _, f := range tune {
		f(&opt)
	}
	srv := httptest.NewServer(web.New(opt))
	t.Cleanup(srv.Close)
	s.url = srv.URL
	return s
}

// work starts the splitter, the feeder and the workers.
func (s *site) work() {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	feeder := dispatch.NewFeeder(s.tasks, s.events, s.queue, s.kinds, dispatch.Options{})
	rec := middleware.NewRecorder(s.events, middleware.Options{Committed: feeder.Wake})
	kind, _ := s.kinds.Kind("products.import")
	server := queue.NewServer(s.rdb, queue.ServerOptions{Epoch: s.epoch}, middleware.Track(kind, rec))
	splitter := importers.NewSplitter(s.tasks, s.events, s.files, s.kinds,
		importers.SplitterOptions{Added: feeder.Wake})
	bell, mute := s.queue.Listen(importers.Topic)
	rec.Start()
	var loops sync.WaitGroup
	loops.Go(func() { feeder.Run(ctx) })
	loops.Go(func() { splitter.Run(ctx, bell); mute() })
	must(s.t, server.Start(context.Background()))
	s.t.Cleanup(func() {
		cancel()
		loops.Wait()
		server.Stop()
		rec.Stop(10 * time.Second)
	})
}

// answer is what came back, body read.
type answer struct {
	status int
	header http.Header
	body   string
}

func (s *site) do(method, path string, body io.Reader, header ...string) answer {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, body)
	must(s.t, err)
	req.Header.Set("Accept", "text/html")
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := s.client.Do(req)
	must(s.t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	must(s.t, err)
	return answer{res.StatusCode, res.Header, string(text)}
}

func (s *site) get(path string, header ...string) answer {
	s.t.Helper()
	return s.do(http.MethodGet, path, nil, header...)
}

// post sends the form as a browser without script does.
func (s *site) post(file, content string, header ...string) answer {
	s.t.Helper()
	return s.postTo("/imports", file, content, header...)
}

func (s *site) postTo(path, file, content string, header ...string) answer {
	s.t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	must(s.t, form.WriteField("kind", "products.import"))
	part, err := form.CreateFormFile("file", file)
	must(s.t, err)
	_, err = part.Write([]byte(content))
	must(s.t, err)
	must(s.t, form.WriteField("name", ""))
	must(s.t, form.Close())
	header = append(header, "Content-Type", form.FormDataContentType())
	return s.do(http.MethodPost, path, &b, header...)
}

// imported posts a file and returns where its task is.
func (s *site) imported(file, content string) string {
	s.t.Helper()
	a := s.post(file, content)
	if a.status != http.StatusSeeOther || !strings.HasPrefix(a.header.Get("Location"), "/tasks/") {
		s.t.Fatalf("POST /imports = %d to %q, want 303 to the task:\n%s",
			a.status, a.header.Get("Location"), a.body)
	}
	return a.header.Get("Location")
}

// finished waits until the task at that address is done, and returns its page.
func (s *site) finished(path string) string {
	s.t.Helper()
	for range 40 {
		poll := s.get("/api/v1"+path+"?wait=1", "Accept", "application/json")
		if strings.Contains(poll.body, `"done":true`) {
			return s.get(path).body
		}
	}
	s.t.Fatalf("%s is not done after 40 s", path)
	return ""
}

var (
	tags   = regexp.MustCompile(`<[^>]*>`)
	spaces = regexp.MustCompile(`\s+`)
)

// words is what a person reads of a page.
func words(page string) string {
	text := html.UnescapeString(tags.ReplaceAllString(page, " "))
	return strings.TrimSpace(spaces.ReplaceAllString(text, " "))
}

// tells checks that a page says each text, in this order.
func tells(t *testing.T, page string, texts ...string) {
	t.Helper()
	rest := words(page)
	for _, text := range texts {
		_, after, ok := strings.Cut(rest, text)
		if !ok {
			t.Fatalf("the page does not say %q there; left of it:\n%s", text, rest)
		}
		rest = after
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
