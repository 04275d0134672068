package sso

import (
	"net/http"
	"sync"
	"time"
)

// keyGap is the shortest time between two requests for the signing keys of an issuer, unless half of
// Options.Timeout is shorter. Each token that is signed with an unknown key causes such a request, and
// any caller can send such tokens.
const keyGap = time.Second

// spaced is a RoundTripper that delays a request if it follows another request within `gap`. It
// delays only the validation of tokens with an unknown key, because known keys cause no request.
type spaced struct {
	next http.RoundTripper
	gap  time.Duration

	mu   sync.Mutex
	free time.Time // when the next request may start
}

// RoundTrip implements http.RoundTripper.
func (s *spaced) RoundTrip(r *http.Request) (*http.Response, error) {
	timer := time.NewTimer(s.reserve(time.Now()))
	defer timer.Stop()
	select {
	case <-timer.C:
		return s.next.RoundTrip(r)
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// reserve reserves the next time for a request, and returns how long it is until then.
func (s *spaced) reserve(now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.free
	if at.Before(now) {
		at = now
	}
	s.free = at.Add(s.gap)
	return at.Sub(now)
}
