package web_test

import (
	"html"
	"maps"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/web"
	"github.com/rollcall-dev/rollcall/web/base"
)

// direct sends a request, and does not compare the response with the contract, because the paths of the contract
// have no base.
func (l *lab) direct(method, path, body string, header ...string) reply {
	l.t.Helper()
	req, err := http.NewRequestWithContext(l.t.Context(), method, l.url+path, strings.NewReader(body))
	fine(l.t, err)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	fine(l.t, err)
	return read(l.t, res)
}

// atBase returns a lab whose public address has a path, with a task of two failed rows.
func atBase(t *testing.T, tune ...func(*web.Options)) (l *lab, task string) {
	l = newLab(t, append(tune, func(o *web.Options) { o.PublicURL = "https://example.com/team/rollcall/" })...)
	task = l.accepted("a.csv", "SKU,Name,Price,Brand\nA,a,1,Acme\nB,b,x,Acme\n", "")
	l.split()
	l.move(task, events.Failed, &events.Failure{Code: "BRAND_UNKNOWN", Column: "Brand", Message: "no"}, 1)
	return l, task
}

// addressed finds the attributes of a page that hold a path.
var addressed = regexp.MustCompile(`\s([a-z-]+)="(/[^"]*)"`)

// TestBase_EveryPage_LinksBelowIt follows the links of all pages that a user can reach.
func TestBase_EveryPage_LinksBelowIt(t *testing.T) {
	t.Parallel()
	const below = "/team/rollcall"
	l, task := atBase(t)
	l.hook(`{"url":"https://a.example","topics":["task.finished"]}`)
	todo, seen := []string{below + "/", below + "/docs", below + "/tasks/" + task}, map[string]bool{}
	for len(todo) > 0 && len(seen) < 200 {
		path, _, _ := strings.Cut(todo[0], "#")
		if todo = todo[1:]; seen[path] {
			continue
		}
		seen[path] = true
		r := l.direct(http.MethodGet, path, "", "Accept", "text/html")
		if r.status != http.StatusOK {
			t.Errorf("GET %s: %d", path, r.status)
		}
		if !strings.HasPrefix(r.header.Get("Content-Type"), "text/html") {
			continue
		}
		for _, found := range addressed.FindAllStringSubmatch(r.body, -1) {
			name, to := found[1], html.UnescapeString(found[2])
			if name == "value" { // of a form: an address without the base
				continue
			}
			if !strings.HasPrefix(to, below+"/") {
				t.Errorf("%s: %s=%q does not begin with %s: add the attribute to base.Attributes", path, name, to, below)
			} else if name == "href" {
				todo = append(todo, to)
			}
		}
	}
	for _, want := range []string{"/exports", "/ops", "/docs", "/openapi.json", "/sign-in", "/tasks/" + task + "/repair"} {
		if !seen[below+want] {
			t.Errorf("no page links to %s; seen: %q", want, slices.Sorted(maps.Keys(seen)))
		}
	}
}

func TestBase_AnswersOfTheAPI_LinkBelowIt(t *testing.T) {
	t.Parallel()
	const below = "/team/rollcall"
	l, task := atBase(t)
	self := below + "/api/v1/tasks/" + task
	for _, path := range []string{"/api/v1/tasks/" + task, self} { // the proxy removes the base, or leaves it
		links, _ := l.direct(http.MethodGet, path, "").object()["links"].(map[string]any)
		if links["self"] != self || links["stream"] != self+"/stream" {
			t.Errorf("GET %s: links %v", path, links)
		}
	}
	list, _ := l.direct(http.MethodGet, below+"/api/v1/tasks", "").items()
	if got := list[0]["links"].(map[string]any)["self"]; got != self {
		t.Errorf("a task of the list links to %v", got)
	}
	made := l.direct(http.MethodPost, below+"/api/v1/tasks", `{"kind":"products.import","open":true}`,
		"Content-Type", "application/json", "Idempotency-Key", "k")
	again := l.direct(http.MethodPost, below+"/api/v1/tasks", `{"kind":"products.import","open":true}`,
		"Content-Type", "application/json", "Idempotency-Key", "k")
	id, _ := made.object()["id"].(string)
	for _, r := range []reply{made, again} {
		if got := r.header.Get("Location"); got != below+"/api/v1/tasks/"+id {
			t.Errorf("Location = %q", got)
		}
	}
	stream := l.direct(http.MethodGet, self+"/stream", "")
	if !strings.Contains(stream.body, `"self":"`+self+`"`) {
		t.Errorf("the stream sends %q", stream.body)
	}
	gone := l.direct(http.MethodGet, below+"/api/v1/tasks/x", "")
	gone.refuses(http.StatusNotFound, "NOT_FOUND", `"type":"`+below+`/problems/not-found"`, `"instance":"`+below+`/api/v1/tasks/x"`)
	doc := l.direct(http.MethodGet, below+"/openapi.json", "").object()
	if got := doc["servers"].([]any)[0].(map[string]any)["url"]; got != below {
		t.Errorf("the server of openapi.json is %v", got)
	}
	row, _ := l.direct(http.MethodGet, self+"/events", "").items()
	if got := row[0]["params"]; got == nil {
		t.Errorf("a row lost its values: %v", row[0])
	}
}

func TestBase_RedirectsAndCookies_StayBelowIt(t *testing.T) {
	t.Parallel()
	const below = "/team/rollcall"
	l, _ := atBase(t)
	_, secret := l.member("default", "viewer")
	in := l.direct(http.MethodPost, below+"/sign-in", "key="+secret+"&to=%2Fexports", "Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "same-origin")
	set := in.header.Get("Set-Cookie")
	if in.header.Get("Location") != below+"/exports" || !strings.HasPrefix(set, "__Secure-rollcall_session=") ||
		!strings.Contains(set, "; Path="+below+";") || !strings.Contains(set, "; Secure") {
		t.Errorf("%d to %q with %q", in.status, in.header.Get("Location"), set)
	}
	session, _, _ := strings.Cut(set, ";")
	if r := l.direct(http.MethodGet, below+"/api/v1/tasks", "", "Cookie", session); r.status != http.StatusOK {
		t.Errorf("with the session: %d", r.status)
	}
	asked := l.direct(http.MethodGet, below+"/tasks", "", "Accept", "text/html")
	look := l.direct(http.MethodPost, below+"/look", "lang=ru&to=%2Fdocs", "Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "same-origin")
	if look.header.Get("Location") != below+"/docs" || !strings.Contains(look.header.Get("Set-Cookie"), "Path="+below) {
		t.Errorf("%d %v; %d", look.status, look.header, asked.status)
	}
}

func TestBase_HeaderOfAProxy_CountsIfItIsTrusted(t *testing.T) {
	t.Parallel()
	guarded := func(o *web.Options) { o.Guarded = true } // no key is needed
	trusted := func(o *web.Options) { o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} }
	for _, tt := range []struct {
		header, want string
		trusted      bool
	}{
		{"/a", "/a", true},
		{"/a/, /b", "/a/b", true},
		{"/a", "/team/rollcall", false},
		{"//evil.example", "/team/rollcall", true},
		{"/a\"b", "/team/rollcall", true},
		{"/..", "/team/rollcall", true},
		{"https://evil.example", "/team/rollcall", true},
		{"/", "", true},
	} {
		tune := []func(*web.Options){guarded}
		if tt.trusted {
			tune = append(tune, trusted)
		}
		l, task := atBase(t, tune...)
		r := l.direct(http.MethodGet, "/api/v1/tasks/"+task, "", "X-Forwarded-Prefix", tt.header)
		links, _ := r.object()["links"].(map[string]any)
		if want := tt.want + "/api/v1/tasks/" + task; links["self"] != want {
			t.Errorf("X-Forwarded-Prefix %q, trusted %v: %d, links %v, want %s", tt.header, tt.trusted, r.status, links, want)
		}
	}
}

// TestBase_Reserved_AreThePathsOfTheService: a base that begins like a route would hide this route.
func TestBase_Reserved_AreThePathsOfTheService(t *testing.T) {
	t.Parallel()
	first := map[string]bool{}
	for _, r := range newLab(t).api.Routes() {
		segment, _, _ := strings.Cut(strings.TrimPrefix(r.Path, "/"), "/")
		if segment != "" {
			first[segment] = true
		}
	}
	if got := slices.Sorted(maps.Keys(first)); !slices.Equal(got, base.Reserved) {
		t.Errorf("base.Reserved = %q, the routes begin with %q", base.Reserved, got)
	}
	for _, path := range []string{"/tasks", "/api/x", "/a//b", "/a b", "/./a", "/%2e"} {
		if got, err := base.OfAddress("https://example.com" + path); err == nil {
			t.Errorf("%q has the base %q", path, got)
		}
	}
}
