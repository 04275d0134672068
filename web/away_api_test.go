package web_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/web"
)

// tellsNothing checks that a response reveals no internal detail.
func (r reply) tellsNothing() {
	r.t.Helper()
	for _, inside := range []string{"sql", "SELECT", "goroutine", ".go", "/tmp", "closed", "redis", "refused", "gorm", "boom", "127.0.0.1"} {
		if strings.Contains(r.body, inside) {
			r.t.Errorf("a stranger is told %q: %s", inside, r.body)
		}
	}
}

func TestPanic(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(o *web.Options) { o.Ready = func(context.Context) error { panic("boom") } })
	r := l.look("/readyz")
	r.refuses(500, "INTERNAL", "logged under the request ID")
	r.tellsNothing()
	if text := l.log.String(); !strings.Contains(text, "boom") || !strings.Contains(text, "health.go") {
		t.Errorf("the operator is not reported: %s", text)
	}
	l.look("/healthz").is(http.StatusOK)
}

// TestLedgerAway: every path answers 503 with the time of a retry. Only the log has the reason.
func TestLedgerAway(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	id := l.accepted("a.csv", rows(2), "")
	l.split()
	files := len(l.left())
	fine(t, l.db.Close())
	path := "/api/v1/tasks/" + id
	for _, p := range []string{
		"/api/v1/tasks", path, path + "?wait=30", path + "/events", path + "/errors", path + "/error-groups",
		path + "/result", path + "/result?format=csv", "/api/v1/events/" + id + ".1", "/readyz",
	} {
		begun := time.Now()
		r := l.look(p)
		code := "UNAVAILABLE"
		says := "gain"
		if p == "/readyz" {
			code, says = "NOT_READY", "LEDGER_AWAY"
		}
		r.refuses(503, code, says)
		r.has("Retry-After", "5", "Content-Disposition", "", "ETag", "")
		r.tellsNothing()
		if took := time.Since(begun); took > 25*time.Second { // a wait would take thirty seconds
			t.Errorf("%s took %v", p, took)
		}
	}
	r := l.upload("b.csv", rows(2), "")
	r.refuses(503, "UNAVAILABLE")
	r.has("Retry-After", "5")
	r.tellsNothing()
	if n := len(l.left()); n != files {
		t.Errorf("%d files, want %d: nothing of what was refused is kept", n, files)
	}
	if !strings.Contains(l.log.String(), "database is closed") {
		t.Errorf("the operator is not reported: %s", l.log)
	}
	l.look("/healthz").is(http.StatusOK)
	l.look("/api/v1/kinds").is(http.StatusOK)
}

// TestLedgerLostInBetween: the commit fails when the file has been received. Whether the task
// exists is unknown, so the file must stay for the sweep.
func TestLedgerLostInBetween(t *testing.T) {
	t.Parallel()
	var l *lab
	asked := false
	l = newLab(t, func(o *web.Options) {
		o.Ready = func(ctx context.Context) error {
			if asked {
				return errors.New("away")
			}
			asked = true
			return l.db.Close()
		}
	})
	r := l.upload("b.csv", rows(2), "")
	r.refuses(503, "UNAVAILABLE")
	r.tellsNothing()
	if len(l.left()) != 1 {
		t.Errorf("%d files, want that of a task that may be there", len(l.left()))
	}
}

// TestFilesAway: an error of the file store is a system error.
func TestFilesAway(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	fine(t, l.opt.Files.Close())
	r := l.upload("b.csv", rows(2), "")
	r.refuses(500, "INTERNAL")
	r.tellsNothing()
}

// TestLeaving: a process that stops reports it in /readyz, and still answers requests.
func TestLeaving(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.look("/readyz").same(`{"status":"ready","ledger":"ok","queue":"ok"}`)
	l.api.Leave()
	r := l.look("/readyz")
	r.refuses(503, "NOT_READY", "STOPPING")
	r.has("Retry-After", "5")
	l.accepted("a.csv", rows(2), "")
	l.look("/healthz").is(http.StatusOK)
}

// TestSlowLedger: a request does not wait without limit for a ledger that does not answer. The test checks
// the limit and does not wait for it, because [web.WaitLonger] makes it long.
func TestSlowLedger(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(o *web.Options) {
		o.Ready = func(ctx context.Context) error {
			if end, bounded := ctx.Deadline(); !bounded || time.Until(end) > time.Minute {
				t.Errorf("the wait for the ledger ends at %v, bounded = %v", end, bounded)
			}
			return context.DeadlineExceeded
		}
	})
	l.look("/readyz").refuses(503, "NOT_READY", "LEDGER_AWAY")
}

// TestRedisAway_RefusesConnections_UploadsGoOn: reads continue, too; only the queues cannot be read. This test and
// the next one are separate tests, because parallel subtests begin after all other tests.
func TestRedisAway_RefusesConnections_UploadsGoOn(t *testing.T) {
	t.Parallel()
	gone, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	fine(t, err)
	fine(t, gone.Close())
	withoutRedis(t, gone.Addr().String())
}

// TestRedisAway_NeverAnswers_UploadsGoOn is like the test above, with a Redis that accepts
// connections and does not answer.
func TestRedisAway_NeverAnswers_UploadsGoOn(t *testing.T) {
	t.Parallel()
	deaf, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	fine(t, err)
	t.Cleanup(func() { _ = deaf.Close() })
	withoutRedis(t, deaf.Addr().String())
}

func withoutRedis(t *testing.T, addr string) {
	t.Helper()
	rdb := redis.NewClient(&redis.Options{Addr: addr, ContextTimeoutEnabled: true})
	t.Cleanup(func() { _ = rdb.Close() })
	l := newLab(t, func(o *web.Options) {
		o.QueueReady = func(ctx context.Context) error { return rdb.Ping(ctx).Err() }
		o.Queue = queue.NewClient(rdb, queue.ClientOptions{Queues: []queue.Spec{{Name: "products.import"}}})
	})
	begun := time.Now()
	id := l.accepted("a.csv", rows(3), "")
	for range 9 { // each waits for Redis, 300 ms at most
		l.accepted("a.csv", rows(3), "")
	}
	l.split()
	for _, path := range []string{"", "/events", "/errors", "/error-groups", "/result"} {
		l.look("/api/v1/tasks/" + id + path).is(http.StatusOK)
	}
	if took := time.Since(begun); took > 25*time.Second { // other requests wait five seconds for Redis
		t.Errorf("the uploads and the reads took %v", took)
	}
	begun = time.Now()
	l.look("/readyz").same(`{"status":"ready","ledger":"ok","queue":"away"}`)
	l.look("/healthz").is(http.StatusOK)
	r := l.look("/api/v1/stats")
	r.refuses(503, "QUEUE_UNAVAILABLE", "still accepted")
	r.has("Retry-After", "5")
	r.tellsNothing()
	if took := time.Since(begun); took > time.Minute {
		t.Errorf("stats took %v", took)
	}
}

// TestOtherSites: pages of other sites cannot change anything.
func TestOtherSites(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	body := form(field("kind", "products.import"), file("a.csv", rows(2)))
	for _, header := range [][]string{
		{"Sec-Fetch-Site", "cross-site"},
		{"Sec-Fetch-Site", "same-site"},
		{"Origin", "https://evil.example"},
		{"Origin", "null"},
		{"Sec-Fetch-Site", "cross-site", "Origin", l.url},
	} {
		r := l.call(http.MethodPost, "/api/v1/tasks", body, append(header, "Content-Type", multipartType)...)
		r.refuses(403, "CROSS_ORIGIN")
		l.nothingLeft()
		l.look("/api/v1/tasks", header...).is(http.StatusOK) // the browser keeps other sites from reading the response
	}
	for _, header := range [][]string{
		{"Sec-Fetch-Site", "same-origin"}, {"Origin", l.url}, {"Sec-Fetch-Site", "none"}, {},
	} {
		l.call(http.MethodPost, "/api/v1/tasks", body, append(header, "Content-Type", multipartType)...).is(http.StatusAccepted)
	}
}
