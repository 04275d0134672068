package web

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/access"
)

// listener is an EventSource: it keeps what it hears.
type listener struct {
	mu       sync.Mutex
	header   http.Header
	status   int
	text     strings.Builder
	deadline time.Time // of the last write
	deaf     bool      // it reads no more
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
	if l.deaf {
		return 0, context.DeadlineExceeded
	}
	return l.text.Write(p)
}

// heard is all that came, versions only, since it was asked last.
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

// hears checks what has come.
func (l *listener) hears(t *testing.T, want string) {
	t.Helper()
	synctest.Wait()
	if got := l.heard(); got != want {
		t.Errorf("heard %q, want %q", got, want)
	}
}

// listen opens a stream of the task x; ended is closed with it.
func (g *ground) listen(ctx context.Context, s *Server, last string) (l *listener, ended chan struct{}) {
	l, ended = &listener{header: http.Header{}}, make(chan struct{})
	c, _ := gin.CreateTestContext(l)
	c.Request, _ = http.NewRequestWithContext(ctx, http.MethodGet, "/", nil) // well formed
	c.Request.Header.Set("Last-Event-ID", last)
	c.Params = gin.Params{{Key: "id", Value: "x"}}
	go func() {
		defer close(ended)
		s.handle(func(c *gin.Context) error {
			if err := s.allow(c, access.TasksRead); err != nil {
				return err
			}
			return s.streamTask(c)
		})(c)
		c.Writer.WriteHeaderNow()
	}()
	return l, ended
}

// site is a server over a ground.
func (g *ground) site() *Server {
	gin.SetMode(gin.ReleaseMode)
	s := &Server{opt: Options{Tenant: g.forTenant}.withDefaults(), stopping: make(chan struct{})}
	s.board.fresh, s.board.read, s.board.tell = g.fresh, g.read, g.tell
	return s
}

func TestAStreamTellsEveryChangeOnceAndThatItIsThere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGround()
		s := g.site()
		l, ended := g.listen(t.Context(), s, "")
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

func TestAStreamIsTakenUpWhereItBroke(t *testing.T) {
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
				g := newGround()
				g.version.Store(7)
				g.ended.Store(tt.done)
				ctx, leave := context.WithCancel(t.Context())
				l, ended := g.listen(ctx, g.site(), tt.last)
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

// TestAStreamNeverGoesBack: another process has told a version that this one
// has not read yet.
func TestAStreamNeverGoesBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGround()
		s := g.site()
		ctx, leave := context.WithCancel(t.Context())
		early, _ := g.listen(ctx, s, "")
		early.hears(t, "retry: 2000, progress 1")
		g.version.Store(2)
		l, ended := g.listen(ctx, s, "2")
		time.Sleep(200 * time.Millisecond)
		l.hears(t, "retry: 2000")
		leave()
		<-ended
	})
}

// TestAStreamHearsAtOnceWhatIsKnownHere: what was changed through this process,
// and what somebody else has read.
func TestAStreamHearsAtOnceWhatIsKnownHere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGround()
		s := g.site()
		ctx, leave := context.WithCancel(t.Context())
		l, ended := g.listen(ctx, s, "")
		l.hears(t, "retry: 2000, progress 1")
		g.version.Store(2)
		s.board.forget("acme", "x")
		l.hears(t, "progress 2")
		time.Sleep(290 * time.Millisecond)
		l.hears(t, "")
		g.version.Store(3)
		if _, err := s.board.get(ctx, "acme", "x"); err != nil {
			t.Fatal(err)
		}
		l.hears(t, "progress 3")
		g.away.Store(true)
		s.board.forget("acme", "x")
		time.Sleep(10 * time.Second)
		if n := g.reads.Load(); n > 50 {
			t.Errorf("a ledger that is away was asked %d times", n)
		}
		leave()
		<-ended
	})
}

func TestAStreamEndsWithTheServiceAndSaysWhenToComeBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGround()
		s := g.site()
		l, ended := g.listen(t.Context(), s, "")
		l.hears(t, "retry: 2000, progress 1")
		s.Stop()
		<-ended
		var ms int
		if got := l.heard(); !strings.HasPrefix(got, "retry: ") {
			t.Errorf("a stream that is cut off hears %q", got)
		} else if ms = len(got); ms != len("retry: 2000") {
			t.Errorf("it is to come back after %s", got)
		}
	})
}

func TestNobodyHoldsAStreamWhoDoesNotRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGround()
		l, ended := g.listen(t.Context(), g.site(), "")
		l.hears(t, "retry: 2000, progress 1")
		l.mu.Lock()
		l.deaf = true
		l.mu.Unlock()
		g.version.Store(2)
		<-ended
	})
}

// TestAVersionIsWrittenOnceForAllStreams: in each language.
func TestAVersionIsWrittenOnceForAllStreams(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGround()
		s := g.site()
		ctx, leave := context.WithCancel(t.Context())
		var ends []chan struct{}
		for range 100 {
			_, ended := g.listen(ctx, s, "")
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
		if n := g.shown.Load(); n != 5 {
			t.Errorf("5 versions were written %d times for 100 streams", n)
		}
		if n := g.reads.Load(); n > 20 {
			t.Errorf("the ledger was asked %d times in four seconds", n)
		}
	})
}
