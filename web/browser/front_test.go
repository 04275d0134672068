//go:build all

package browser

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// front is a site of its own in front of the service, like the site of an embedding page. Its pages
// allow only scripts and requests of the same origin. It records the requests of the element.
type front struct {
	test *testing.T
	url  string

	mu      sync.Mutex
	service *url.URL
	polls   []seen         // of tasks
	streams []seen         // of tasks
	open    map[string]int // streams under way, by language
	refuse  []int          // the statuses of the next responses to polls
}

// seen is one request.
type seen struct {
	at     time.Time
	lang   string
	header http.Header
	url    string
	status int
}

// strict is the content security policy of the embedding page.
const strict = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:"

func newFront(t *testing.T, service string) *front {
	t.Helper()
	f := &front{test: t, open: map[string]int{}}
	f.to(service)
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	f.url = s.URL
	return f
}

// to changes the address of the service.
func (f *front) to(service string) {
	u, err := url.Parse(service)
	if err != nil {
		f.test.Fatal(err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.service = u
}

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/embed" {
		w.Header().Set("Content-Security-Policy", strict)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, embedding(r.URL.Query().Get("task"))) // after an error, the test sees no page
		return
	}
	s := seen{
		at: time.Now(), lang: r.Header.Get("Accept-Language"), header: r.Header.Clone(), url: r.URL.String(),
	}
	stream := strings.HasSuffix(r.URL.Path, "/stream")
	poll := strings.HasPrefix(r.URL.Path, "/api/v1/tasks/") && !stream
	refused := f.begin(s, poll, stream)
	defer f.end(s, stream)
	if refused != 0 {
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(refused)
		return
	}
	f.mu.Lock()
	to := f.service
	f.mu.Unlock()
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to); r.Out.Host = r.In.Host }}
	proxy.ErrorLog = log.New(io.Discard, "", 0)
	proxy.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) {
		w.WriteHeader(http.StatusBadGateway)
	}
	proxy.ModifyResponse = func(res *http.Response) error {
		if poll {
			f.answered(s, res.StatusCode)
		}
		return nil
	}
	proxy.ServeHTTP(w, r)
}

// embedding is the code that a person pastes into a page.
func embedding(task string) string {
	return `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<script type="module" src="/static/task-progress.js"></script>
<body><task-progress task-id="` + url.QueryEscape(task) + `"></task-progress></body></html>`
}

func (f *front) begin(s seen, poll, stream bool) (refused int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if stream {
		f.streams = append(f.streams, s)
		f.open[s.lang]++
	}
	if poll && len(f.refuse) > 0 {
		refused, f.refuse = f.refuse[0], f.refuse[1:]
		s.status = refused
		f.polls = append(f.polls, s)
	}
	return refused
}

func (f *front) answered(s seen, status int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s.status = status
	f.polls = append(f.polls, s)
}

func (f *front) end(s seen, stream bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if stream {
		f.open[s.lang]--
	}
}

// of returns the requests in a language, so that a test with two elements can tell them apart.
func (f *front) of(lang string) (polls, streams []seen) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.polls {
		if s.lang == lang {
			polls = append(polls, s)
		}
	}
	for _, s := range f.streams {
		if s.lang == lang {
			streams = append(streams, s)
		}
	}
	return polls, streams
}

// wait waits until the function `ok` returns true.
func (f *front) wait(what string, ok func() bool) {
	f.test.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(2 * patience); time.Now().Before(end); <-tick.C {
		if ok() {
			return
		}
	}
	f.test.Fatalf("%s: not within %v", what, 2*patience)
}

// streaming returns the number of open streams in a language.
func (f *front) streaming(lang string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.open[lang]
}
