package sso

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

func TestSpaced_RequestsInARow_KeepTheirGap(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var came []time.Time
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		came = append(came, time.Now())
	}))
	defer srv.Close()
	const gap = 50 * time.Millisecond
	client := &http.Client{Transport: &spaced{next: http.DefaultTransport, gap: gap}}
	begun := time.Now()
	for range 3 {
		res, err := client.Get(srv.URL)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
	}
	if took := came[2].Sub(begun); took < 2*gap {
		t.Errorf("three requests came within %v, want %v at least", took, 2*gap)
	}
	first, waits := &spaced{gap: time.Hour}, time.Duration(0)
	if waits = first.reserve(time.Now()); waits > 0 {
		t.Errorf("the first request waits for %v", waits)
	}
}
