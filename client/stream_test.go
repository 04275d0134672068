package client_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/rollcall-dev/rollcall/client"
)

// TestUpload_ServiceIsAway_SendsTheFileAgain: the answer arrives while the transport still reads the
// file.
func TestUpload_ServiceIsAway_SendsTheFileAgain(t *testing.T) {
	t.Parallel()
	text := "SKU,Name\n" + strings.Repeat("A,a\n", 1<<18)
	var mu sync.Mutex
	keys := map[string]int{}
	s := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		key := r.Header.Get("Idempotency-Key")
		mu.Lock()
		keys[key]++
		times := keys[key]
		mu.Unlock()
		if times == 1 {
			out.Header().Set("Retry-After", "1")
			out.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		file, _, err := r.FormFile("file")
		if err != nil {
			t.Error(err)
			return
		}
		if got, err := io.ReadAll(file); err != nil || string(got) != text {
			t.Errorf("%d bytes arrived, want %d: %v", len(got), len(text), err)
		}
		_, _ = io.WriteString(out, `{"id":"t"}`) // a client that is gone has failed the test
	}))
	t.Cleanup(s.Close)
	c := connect(t, s.URL, client.Options{})
	file := strings.NewReader("skipped" + text)
	_, err := file.Seek(int64(len("skipped")), io.SeekStart)
	fine(t, err)
	task, err := c.Upload(t.Context(), client.Upload{Kind: "k", FileName: "f.csv", File: file})
	fine(t, err)
	mu.Lock()
	if task.ID != "t" || len(keys) != 1 {
		t.Errorf("the task is %+v, sent under the keys %v", task, keys)
	}
	mu.Unlock()
	var p *client.Problem
	once := struct{ io.Reader }{strings.NewReader(text)}
	_, err = c.Upload(t.Context(), client.Upload{Kind: "k", FileName: "f.csv", File: once, IdempotencyKey: "once"})
	mu.Lock()
	defer mu.Unlock()
	if !errors.As(err, &p) || p.Status != http.StatusServiceUnavailable || keys["once"] != 1 {
		t.Errorf("a file that can be read once: %v, sent %d times", err, keys["once"])
	}
}
