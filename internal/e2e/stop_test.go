//go:build all

package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// readiness is the answer of /readyz.
type readiness struct {
	status             int
	code, ledger, part string
	queue              string
}

func ready(t *testing.T, url string) (r readiness) {
	t.Helper()
	resp, err := client.Get(url + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var v struct {
		Code, Ledger, Queue string
		Errors              []struct{ Code string }
	}
	if err := json.NewDecoder(resp.Body).Decode(&v); err != nil {
		t.Fatal(err)
	}
	r = readiness{status: resp.StatusCode, code: v.Code, ledger: v.Ledger, queue: v.Queue}
	if len(v.Errors) > 0 {
		r.part = v.Errors[0].Code
	}
	return r
}

// becomes waits until a process reports the wanted readiness.
func becomes(t *testing.T, url string, want readiness) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		got := ready(t, url)
		if got == want {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("ready: %+v, want %+v", got, want)
		}
	}
}

// TestAProcessReportsWhetherItIsReady: a process is ready even without Redis. When it stops, it first
// reports that it is not ready, and then finishes the work that it has begun.
func TestAProcessReportsWhetherItIsReady(t *testing.T) {
	t.Parallel()
	h := newDeployment(t)
	h.env = append(h.env, "DRAIN=2s")
	p := h.api()
	url := p.URL()
	well := readiness{status: http.StatusOK, ledger: "ok", queue: "ok"}
	becomes(t, url, well)
	h.redis.Kill()
	becomes(t, url, readiness{status: http.StatusOK, ledger: "ok", queue: "away"})
	h.redis.Start()
	becomes(t, url, well)

	stream := openStream(t, url, openTask(t, url))
	finish := beginUpload(t, url)
	p.Term()
	becomes(t, url, readiness{status: http.StatusServiceUnavailable, code: "NOT_READY", part: "STOPPING"})
	if status := finish(); status != http.StatusAccepted {
		t.Errorf("an upload that was under way got %d", status)
	}
	text, err := io.ReadAll(stream)
	if err != nil || !strings.Contains(string(text), "\n\nretry: ") || !strings.HasSuffix(string(text), "\n\n") {
		t.Errorf("a stream ended with %v after %q", err, text)
	}
	if code := p.Wait(); code != 0 {
		t.Errorf("exit code %d; stderr:\n%s", code, p.Stderr())
	}
}

// openTask adds a task that waits for rows.
func openTask(t *testing.T, url string) (id string) {
	t.Helper()
	resp, err := client.Post(url+"/api/v1/tasks", "application/json",
		strings.NewReader(`{"kind":"products.import","open":true}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var v task
	if err := json.NewDecoder(resp.Body).Decode(&v); err != nil || v.ID == "" {
		t.Fatalf("%s: %v", resp.Status, err)
	}
	return v.ID
}

// openStream opens the stream of a task, and returns after its first line.
func openStream(t *testing.T, url, id string) io.Reader {
	t.Helper()
	resp, err := client.Get(url + "/api/v1/tasks/" + id + "/stream")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	in := bufio.NewReader(resp.Body)
	if line, err := in.ReadString('\n'); err != nil || !strings.HasPrefix(line, "retry: ") {
		t.Fatalf("the stream begins with %q, %v", line, err)
	}
	return in
}

// beginUpload sends the first half of a file. The result `finish` sends the other half, and returns the
// status of the answer.
func beginUpload(t *testing.T, url string) (finish func() int) {
	t.Helper()
	host := strings.TrimPrefix(url, "http://")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	half := "--b\r\nContent-Disposition: form-data; name=\"kind\"\r\n\r\nproducts.import\r\n" +
		"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"p.csv\"\r\n\r\nSKU,Name,Price,Brand\n" +
		strings.Repeat("A,a,1,Acme\n", 1000)
	rest := strings.Repeat("B,b,2,Acme\n", 1000) + "\r\n--b--\r\n"
	send := func(format string, args ...any) {
		t.Helper()
		if _, err := fmt.Fprintf(conn, format, args...); err != nil {
			t.Fatal(err)
		}
	}
	send("POST /api/v1/tasks HTTP/1.1\r\nHost: %s\r\nContent-Type: multipart/form-data; boundary=b\r\n"+
		"Content-Length: %d\r\n\r\n%s", host, len(half)+len(rest), half)
	return func() int {
		t.Helper()
		send("%s", rest)
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		return resp.StatusCode
	}
}
