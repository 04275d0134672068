package client_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/rollcall-dev/rollcall/client"
)

// TestRepair_ProxyGivesUp_IsNotSentAgain: a proxy answers 502 or 504 also for a request that has had its effect.
// The response to a second one would be ROW_CHANGED.
func TestRepair_ProxyGivesUp_IsNotSentAgain(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]int64{
		http.StatusBadGateway: 1, http.StatusGatewayTimeout: 1, http.StatusServiceUnavailable: 2, http.StatusTooManyRequests: 2,
	} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			t.Parallel()
			var sent atomic.Int64
			front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				sent.Add(1)
				w.WriteHeader(status)
			}))
			defer front.Close()
			c, err := client.New(front.URL, client.Options{Tries: 2})
			fine(t, err)
			_, err = c.Repair(t.Context(), "id.1", 1, client.Patch{Note: "n"})
			var p *client.Problem
			if !errors.As(err, &p) || p.Status != status || sent.Load() != want {
				t.Errorf("%v after %d requests, want %d", err, sent.Load(), want)
			}
		})
	}
}

// TestUpload_ProxyGivesUpAfterAPart_Continues: the part is stored, so the client asks for the offset.
func TestUpload_ProxyGivesUpAfterAPart_Continues(t *testing.T) {
	t.Parallel()
	var stored atomic.Int64
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodPatch:
			first := stored.Load() == 0
			if r.Header.Get("Upload-Offset") != strconv.FormatInt(stored.Load(), 10) {
				t.Errorf("a part at %s, want %d", r.Header.Get("Upload-Offset"), stored.Load())
			}
			n, _ := io.Copy(io.Discard, r.Body)
			stored.Add(n)
			if first {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			w.WriteHeader(http.StatusNoContent)
		case http.MethodGet:
			_, _ = io.WriteString(w, `{"offset":`+strconv.FormatInt(stored.Load(), 10)+`}`)
		default:
			_, _ = io.WriteString(w, `{"id":"u"}`)
		}
	}))
	defer front.Close()
	c, err := client.New(front.URL, client.Options{})
	fine(t, err)
	file := bytes.Repeat([]byte("a,b,c,d\n"), 9<<20/8)
	_, err = c.Upload(t.Context(), client.Upload{Kind: "k", FileName: "a.csv", File: bytes.NewReader(file)})
	if fine(t, err); stored.Load() != int64(len(file)) {
		t.Errorf("%d bytes are stored, want %d", stored.Load(), len(file))
	}
}
