package client

import (
	"math"
	"net/http"
	"testing"
	"time"
)

// TestNew_AddressWithQueryOrFragment_IsRefused: requests to such an address would have an empty path.
func TestNew_AddressWithQueryOrFragment_IsRefused(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"http://127.0.0.1:1#x", "http://127.0.0.1:1#", "http://127.0.0.1:1?", "http://127.0.0.1:1?a=b"} {
		if _, err := New(address, Options{}); err == nil {
			t.Errorf("New(%q) succeeds", address)
		}
	}
}

// TestRetryAfter_TooManySeconds_AreTheLongestTime: the client then ends its retries, and does not begin at once.
func TestRetryAfter_TooManySeconds_AreTheLongestTime(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"10000000000": math.MaxInt64 / time.Second * time.Second, "20000000000": math.MaxInt64 / time.Second * time.Second,
		"-5": 0, "x": 0, "7": 7 * time.Second,
	} {
		if got := retryAfter(http.Header{"Retry-After": {text}}); got != want {
			t.Errorf("Retry-After %s: %v, want %v", text, got, want)
		}
	}
}
