//go:build all

package browser

import (
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// counted passes connections on to a service, and counts the bytes that come back.
func counted(t *testing.T, service string) (url string, bytes *atomic.Int64) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	bytes = &atomic.Int64{}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go pass(conn, strings.TrimPrefix(service, "http://"), bytes)
		}
	}()
	return "http://" + l.Addr().String(), bytes
}

func pass(conn net.Conn, to string, bytes *atomic.Int64) {
	defer conn.Close()
	up, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer up.Close()
	go func() { _, _ = io.Copy(up, conn); _ = up.Close() }()
	buf := make([]byte, 32<<10)
	for {
		n, err := up.Read(buf)
		bytes.Add(int64(n))
		if n > 0 {
			if _, err := conn.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// TestHome_AtRest_TakesTwoKiBAMinute opens the table of imports and counts the bytes that it
// receives in the minute after its load. Then an import is added, and the page shows it without a
// reload.
func TestHome_AtRest_TakesTwoKiBAMinute(t *testing.T) {
	t.Parallel()
	service := serve(t)
	w := openWindow(t, startBrowser(t))
	w.do(chromedp.Navigate(service))
	w.upload(badRows(w))
	w.says("rows need correction")
	url, bytes := counted(t, service)
	w.do(chromedp.Navigate(url))
	w.until(`document.querySelector(".imports") && document.getElementById("fresh").textContent !== ""`)
	time.Sleep(time.Second) // the page still loads styles, scripts and icons
	before := bytes.Load()
	time.Sleep(time.Minute)
	if n := bytes.Load() - before; n > 2048 || n == 0 {
		t.Errorf("%d bytes were received in a minute at rest, want at most 2048", n)
	}
	other := openWindow(t, w.browser)
	other.do(chromedp.Navigate(service))
	other.upload(badRows(other))
	w.until(`document.querySelectorAll(".imports tbody tr").length === 2`)
}
