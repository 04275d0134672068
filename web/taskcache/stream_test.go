package taskcache

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// listener is an EventSource that keeps what it receives.
type listener struct {
	mu       sync.Mutex
	header   http.Header
	status   int
	text     strings.Builder
	deadline time.Time // of the last write
	closed   bool      // writes fail
}

func (l *listener) Header() http.Header    { return l.header }
func (l *listener) WriteHeader(status int) { l.status = status }
func (l *listener) FlushError() error      { return nil }

func (l *listener) SetWriteDeadline(at time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.deadline = at
	return nil
}

func (l *listener) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return 0, context.DeadlineExceeded
	}
	return l.text.Write(p)
}

// heard returns what was received since the last call: events with their versions, retry times and comments.
func (l *listener) heard() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.text.Reset()
	var out []string
	for block := range strings.SplitSeq(l.text.String(), "\n\n") {
		name, rest, _ := strings.Cut(block, "\nid: ")
		id, _, _ := strings.Cut(rest, "\n")
		if one := strings.TrimPrefix(name, "event: ") + " " + id; one != " " {
			out = append(out, strings.TrimSpace(one))
		}
	}
	return strings.Join(out, ", ")
}

// hears checks what was received.
func (l *listener) hears(t *testing.T, want string) {
	t.Helper()
	synctest.Wait()
	if got := l.heard(); got != want {
		t.Errorf("heard %q, want %q", got, want)
	}
}

// listen opens a stream of the task x. At the end of the stream, the channel `ended` is closed.
func (g *fixture) listen(ctx context.Context, last string) (l *listener, ended chan struct{}) {
	l, ended = &listener{header: http.Header{}}, make(chan struct{})
	r, _ := http.NewRequestWithContext(ctx, http.MethodGet, "/", nil) // well-formed
	r.Header.Set("Last-Event-ID", last)
	stream := Stream{
		Cache: &g.Cache, Tenant: g.forTenant, ID: "x", Stopping: g.stopping,
		Check: func() error { return nil },
	}
	go func() {
		defer close(ended)
		_ = stream.Serve(l, r) // the tests judge what was sent
	}()
	return l, ended
}

// follow opens a stream of the task x, which ends with the test.
func (g *fixture) follow(t *testing.T, last string) *listener {
	l, ended := g.listen(t.Context(), last)
	t.Cleanup(func() { <-ended })
	return l
}

func TestStream_OpenTask_SendsEachChangeOnceAndHeartbeats(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newFixture()
		l, ended := g.listen(t.Context(), "")
		l.hears(t, "retry: 2000, progress 1")
		g.version.Store(2)
		time.Sleep(600 * time.Millisecond)
		l.hears(t, "progress 2")
		time.Sleep(14 * time.Second)
		l.hears(t, "")
		time.Sleep(time.Second)
		l.hears(t, ": still here")
		time.Sleep(31 * time.Second)
		l.hears(t, ": still here, : still here")
		g.away.Store(true)
		time.Sleep(time.Second)
		g.version.Store(3)
		g.away.Store(false)
		time.Sleep(time.Second)
		l.hears(t, "progress 3")
		g.ended.Store(true)
		g.version.Store(4)
		time.Sleep(time.Second)
		l.hears(t, "done 4")
		<-ended
		if !l.deadline.IsZero() {
			t.Error("the next request on the connection has the stream's deadline")
		}
		if got := l.header.Get("Cache-Control"); got != "no-store, no-transform" || l.header.Get("X-Accel-Buffering") != "no" {
			t.Errorf("headers %v", l.header)
		}
	})
}

func TestStream_LastEventID_ResumesWhereItBroke(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, last, first string
		done              bool
		status            int
	}{
		{name: "at the same version nothing is told twice", last: "7", first: "retry: 2000"},
		{name: "what was missed is told as it stands", last: "3", first: "retry: 2000, progress 7"},
		{name: "a version of another task is none", last: "99", first: "retry: 2000, progress 7"},
		{name: "nor is nonsense", last: "x'", first: "retry: 2000, progress 7"},
		{name: "nor what is below zero", last: "-1", first: "retry: 2000, progress 7"},
		{name: "nor what is no number of ours", last: "99999999999999999999", first: "retry: 2000, progress 7"},
		{name: "the end is told", last: "6", first: "retry: 2000, done 7", done: true},
		{name: "and to who knows it, that there is no more", last: "7", done: true, status: 204},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := newFixture()
				g.version.Store(7)
				g.ended.Store(tt.done)
				ctx, leave := context.WithCancel(t.Context())
				l, ended := g.listen(ctx, tt.last)
				time.Sleep(time.Second)
				l.hears(t, tt.first)
				leave()
				<-ended
				if tt.status != 0 && l.status != tt.status {
					t.Errorf("status %d, want %d", l.status, tt.status)
				}
			})
		})
	}
}

// TestStream_NewerVersionOfAnotherProcess_IsNotFollowedByAnOlder: another process has sent a version that
// this process has not read yet.
func TestStream_NewerVersionOfAnotherProcess_IsNotFollowedByAnOlder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newFixture()
		g.follow(t, "").hears(t, "retry: 2000, progress 1")
		g.version.Store(2)
		l := g.follow(t, "2")
		time.Sleep(200 * time.Millisecond)
		l.hears(t, "retry: 2000")
	})
}

func TestStream_ChangeOrReadOfThisProcess_IsSentAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newFixture()
		l := g.follow(t, "")
		l.hears(t, "retry: 2000, progress 1")
		g.version.Store(2)
		g.Invalidate("acme", "x")
		l.hears(t, "progress 2")
		time.Sleep(290 * time.Millisecond)
		l.hears(t, "")
		g.version.Store(3)
		if _, err := g.Get(t.Context(), "acme", "x"); err != nil {
			t.Fatal(err)
		}
		l.hears(t, "progress 3")
		g.away.Store(true)
		g.Invalidate("acme", "x")
		time.Sleep(10 * time.Second)
		if n := g.reads.Load(); n > 50 {
			t.Errorf("a ledger that is away was asked %d times", n)
		}
	})
}

func TestStream_ServiceStops_EndsWithARetryTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newFixture()
		l, ended := g.listen(t.Context(), "")
		l.hears(t, "retry: 2000, progress 1")
		close(g.stopping)
		<-ended
		var ms int
		if got := l.heard(); !strings.HasPrefix(got, "retry: ") {
			t.Errorf("a stream that is cut off hears %q", got)
		} else if ms = len(got); ms != len("retry: 2000") {
			t.Errorf("it is to come back after %s", got)
		}
	})
}

func TestStream_ClientThatDoesNotRead_IsDropped(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newFixture()
		l, ended := g.listen(t.Context(), "")
		l.hears(t, "retry: 2000, progress 1")
		l.mu.Lock()
		l.closed = true
		l.mu.Unlock()
		g.version.Store(2)
		<-ended
	})
}

func TestStream_ManyClients_ShareOneRendering(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newFixture()
		ctx, leave := context.WithCancel(t.Context())
		var ends []chan struct{}
		for range 100 {
			_, ended := g.listen(ctx, "")
			ends = append(ends, ended)
		}
		synctest.Wait()
		for i := range int64(4) {
			g.version.Store(i + 2)
			time.Sleep(time.Second)
		}
		leave()
		for _, ended := range ends {
			<-ended
		}
		if n := g.renders.Load(); n != 5 {
			t.Errorf("5 versions were written %d times for 100 streams", n)
		}
		if n := g.reads.Load(); n > 20 {
			t.Errorf("the ledger was asked %d times in four seconds", n)
		}
	})
}
