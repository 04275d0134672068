package web_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/web"
)

// wire is a connection on which the test writes HTTP itself.
type wire struct {
	*net.TCPConn
	t testing.TB
}

func (l *lab) dial() wire {
	l.t.Helper()
	c, err := (&net.Dialer{}).DialContext(l.t.Context(), "tcp", strings.TrimPrefix(l.url, "http://"))
	fine(l.t, err)
	l.t.Cleanup(func() { _ = c.Close() })
	fine(l.t, c.SetDeadline(time.Now().Add(2*time.Minute)))
	return wire{c.(*net.TCPConn), l.t}
}

func (w wire) say(text string) {
	w.t.Helper()
	_, err := io.WriteString(w, text)
	fine(w.t, err)
}

// hears reads one response.
func (w wire) hears() reply {
	w.t.Helper()
	res, err := http.ReadResponse(bufio.NewReader(w), nil)
	fine(w.t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	fine(w.t, err)
	return reply{w.t, res.StatusCode, res.Header, string(body)}
}

const postHead = "POST /api/v1/tasks HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + multipartType + "\r\n"

// TestTooLargeIsToldBeforeItIsRead: the length that the request announces decides.
func TestTooLargeIsToldBeforeItIsRead(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(o *web.Options) { o.MaxUpload = 1 << 20 })
	w := l.dial()
	w.say(postHead + fmt.Sprintf("Content-Length: %d\r\n\r\n", 3<<20))
	w.hears().refuses(413, "FILE_TOO_LARGE", "larger than the 1 MB")
	l.nothingLeft()
}

// chunks returns text as chunks of a body, without the last one.
func chunks(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		n := min(len(text), 30_000)
		fmt.Fprintf(&b, "%x\r\n%s\r\n", n, text[:n])
		text = text[n:]
	}
	return b.String()
}

// TestChunkedWithoutEnd: a body without a length is cut off at the limit.
func TestChunkedWithoutEnd(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(o *web.Options) { o.MaxUpload = 1 << 20 })
	for _, parts := range []string{
		field("kind", "products.import") + file("a.csv", strings.Repeat(rows(1000), 110)),
		field("kind", strings.Repeat("x", 3<<20)),
		strings.Repeat("\r\n", 2<<20), // no part ever begins
	} {
		w := l.dial()
		w.say(postHead + "Transfer-Encoding: chunked\r\n\r\n")
		// The server may close its side while the rest is on its way.
		_, err := io.WriteString(w, chunks(parts))
		if err != nil && !errors.Is(err, net.ErrClosed) && !strings.Contains(err.Error(), "reset") &&
			!strings.Contains(err.Error(), "broken pipe") {
			t.Error(err)
		}
		if r := w.hears(); r.status != 413 && r.status != 400 {
			t.Errorf("%.60q: %d %s", parts, r.status, r.body)
		}
		l.nothingLeft()
	}
	w := l.dial()
	w.say(postHead + "Transfer-Encoding: chunked\r\n\r\n" +
		chunks(form(field("kind", "products.import"), file("a.csv", rows(10)))) + "0\r\n\r\n")
	w.hears().is(http.StatusAccepted)
}

// TestCallerGoesAway: the client disconnects in the middle of an upload or at its end, or ends only its own side.
func TestCallerGoesAway(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	body := form(field("kind", "products.import"), file("a.csv", rows(20_000)))
	for _, sent := range []int{10, 150, len(body) / 2, len(body) - 2} {
		w := l.dial()
		w.say(postHead + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body)) + body[:sent])
		if sent == len(body)/2 {
			l.until("a file half received", func() bool { return len(l.left()) == 1 })
		}
		n := l.ended.Load()
		fine(t, w.Close())
		l.until("the end of the request", func() bool { return l.ended.Load() > n })
		l.nothingLeft()
	}
	w := l.dial()
	w.say(postHead + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body)) + body[:len(body)/2])
	fine(t, w.CloseWrite())
	w.hears().refuses(400, "MALFORMED_BODY", "cut off")
	l.nothingLeft()
	if text := l.log.String(); text != "" {
		t.Errorf("a caller that goes away is no fault of ours, but was logged: %s", text)
	}
}

func (l *lab) left() []os.DirEntry {
	l.t.Helper()
	list, err := os.ReadDir(l.folder)
	fine(l.t, err)
	return list
}

func (l *lab) until(what string, ok func() bool) {
	l.t.Helper()
	if !testenv.Await(3*time.Minute, ok) { // the first wait takes more than a minute on a slow machine
		l.t.Fatalf("never: %s", what)
	}
}

// TestExpect: a client that sends `Expect: 100-continue` is rejected before it sends the body.
func TestExpect(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	w := l.dial()
	w.say("POST /api/v1/tasks HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n" +
		"Content-Length: 50000000\r\nExpect: 100-continue\r\n\r\n")
	w.hears().refuses(415, "UNSUPPORTED_MEDIA_TYPE")
}

// TestMemoryOfAnUpload: 60 MB pass through a few buffers. The test is not parallel, because it
// counts the allocations of the whole process.
func TestMemoryOfAnUpload(t *testing.T) {
	l := newLab(t)
	l.accepted("first.csv", rows(10), "") // makes what is allocated only once
	const size = 60 << 20
	block := []byte(strings.Repeat("S-1234567,name of it,12.50,Acme\n", 1<<10))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, w := io.Pipe()
	go func() {
		_, err := io.WriteString(w, field("kind", "products.import")+strings.TrimSuffix(file("a.csv", heads), "\r\n"))
		for n := 0; n < size && err == nil; n += len(block) {
			_, err = w.Write(block)
		}
		if err == nil {
			_, err = io.WriteString(w, "\r\n"+form())
		}
		_ = w.CloseWithError(err)
	}()
	got := l.send(http.MethodPost, "/api/v1/tasks", r, "Content-Type", multipartType)
	runtime.ReadMemStats(&after)
	got.is(http.StatusAccepted)
	if n := got.object()["source"].(map[string]any)["size"].(float64); n < size {
		t.Errorf("%v bytes arrived", n)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 8<<20 {
		t.Errorf("an upload of 60 MB allocated %d MB", grown>>20)
	}
}
