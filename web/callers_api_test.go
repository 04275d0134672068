package web_test

import (
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/web"
)

// slowness is how long the service waits for a slow caller. A test process may get no processor for some
// seconds, so slowness is longer.
const slowness = 6 * time.Second

// TestSlowCaller_Stalls_IsRejected: the caller stops in the body, and nothing is stored. The tests
// of slow callers wait long, so each is a test of its own, in a file that comes early.
func TestSlowCaller_Stalls_IsRejected(t *testing.T) { slowly(t, stalls) }

// TestSlowCaller_SendsAByteNowAndThen_IsRejected: nothing is stored.
func TestSlowCaller_SendsAByteNowAndThen_IsRejected(t *testing.T) { slowly(t, drips) }

// TestSlowCaller_IsSteady_IsServed: an upload succeeds even if it takes longer than the service waits
// for a byte.
func TestSlowCaller_IsSteady_IsServed(t *testing.T) { slowly(t, steady) }

func slowly(t *testing.T, upload func(l *lab, head, body string)) {
	t.Helper()
	t.Parallel()
	body := form(field("kind", "products.import"), file("a.csv", rows(2000)))
	head := postHead + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body))
	upload(newLab(t, func(o *web.Options) { o.StallTimeout = slowness }), head, body)
}

func stalls(l *lab, head, body string) {
	w := l.dial()
	w.say(head + body[:len(body)/2])
	w.hears().refuses(408, "UPLOAD_TOO_SLOW")
	l.nothingLeft()
}

// drips sends a byte every 20 ms, for ten times as long as the service waits.
func drips(l *lab, head, body string) {
	w := l.dial()
	w.say(head)
	begun := time.Now()
	var err error
	for i := 0; err == nil && time.Since(begun) < 10*slowness; i++ {
		time.Sleep(20 * time.Millisecond)
		_, err = io.WriteString(w, body[i:i+1])
	}
	if err == nil {
		l.t.Errorf("a byte every 20 ms was listened to for %v", time.Since(begun))
	}
	l.nothingLeft()
}

// steady sends an upload faster than the required rate. The upload takes longer than the service waits for
// a byte.
func steady(l *lab, head, body string) {
	unread := l.dial()
	unread.say("POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n")
	unread.hears().refuses(404, "NOT_FOUND")
	w := l.dial()
	w.say(head)
	step := len(body)/40 + 1
	for i := 0; i < len(body); i += step {
		w.say(body[i:min(i+step, len(body))])
		time.Sleep((slowness + slowness/4) / 40)
	}
	w.hears().is(http.StatusAccepted)
	w.say("GET /api/v1/kinds HTTP/1.1\r\nHost: localhost\r\n\r\n")
	w.hears().is(http.StatusOK) // the connection goes on without the deadline
}
