package web_test

import (
	"bytes"
	"context"
	"html"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/mappings"
	"github.com/rollcall-dev/rollcall/internal/tasklist"
	"github.com/rollcall-dev/rollcall/internal/testenv/fixture"
	"github.com/rollcall-dev/rollcall/internal/uploads"
	"github.com/rollcall-dev/rollcall/web"
)

// site is the pages on real stores. Its workers run when work is called.
type site struct {
	t      *testing.T
	url    string
	client *http.Client // keeps no cookies, follows no redirects

	*fixture.Service
}

// newSite opens a site. tune changes the options of the server.
func newSite(t *testing.T, tune ...func(*web.Options)) *site {
	t.Helper()
	s := &site{
		t: t, Service: fixture.New(t, fixture.Options{Redis: "redis://" + miniredis.RunT(t).Addr(), Kinds: sampleKinds}),
		client: &http.Client{Transport: watch{t}, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}},
	}
	opt := web.Options{
		Tasks: s.Tasks, Audit: audit.New(s.DB, nil), Events: s.Events, Files: s.Files, Kinds: s.Kinds, Queue: s.Queue,
		Lists: tasklist.New(s.DB), Mappings: mappings.New(s.DB, nil),
	}
	for _, f := range tune {
		f(&opt)
	}
	opt.Uploads = uploads.New(s.DB, s.Files, uploads.Options{Now: opt.Now})
	srv := httptest.NewServer(web.New(opt))
	t.Cleanup(srv.Close)
	s.url = srv.URL
	return s
}

// work starts the splitter, the feeder and the workers.
func (s *site) work() {
	s.t.Helper()
	var n *fixture.Node
	bell, mute := s.Queue.Subscribe(importers.Topic)
	splitter := importers.NewSplitter(s.Tasks, s.Events, s.Files, s.Kinds,
		importers.SplitterOptions{Added: func() { n.Feeder.Wake() }})
	var err error
	n, err = s.Start(fixture.NodeOptions{})
	must(s.t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); splitter.Run(ctx, bell); mute() }()
	s.t.Cleanup(func() { cancel(); <-ended; n.Stop() })
}

// answer is a response with its body.
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

// post sends the form of an import as a browser without scripts does.
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

// imported sends a file and returns the path of its task.
func (s *site) imported(file, content string) string {
	s.t.Helper()
	at := s.sent(file, content)
	a := s.send(at, "act", "start")
	if a.status != http.StatusSeeOther || !strings.HasPrefix(a.header.Get("Location"), "/tasks/") {
		s.t.Fatalf("POST %s = %d to %q, want 303 to the task:\n%s", at, a.status, a.header.Get("Location"), words(a.body))
	}
	return a.header.Get("Location")
}

// sent sends a file and returns the path of the page with its columns.
func (s *site) sent(file, content string) string {
	s.t.Helper()
	a := s.post(file, content)
	to := strings.TrimSuffix(a.header.Get("Location"), "/check")
	if a.status != http.StatusSeeOther || !strings.HasPrefix(to, "/imports/") {
		s.t.Fatalf("POST /imports = %d to %q, want 303 to the next step:\n%s", a.status, to, words(a.body))
	}
	return to
}

// finished waits until the task at a path is done, and returns its page.
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

// words returns the visible text of a page.
func words(page string) string {
	text := html.UnescapeString(tags.ReplaceAllString(page, " "))
	return strings.TrimSpace(spaces.ReplaceAllString(text, " "))
}

// tells checks that a page contains the texts, in this order.
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
