package auth

import (
	"net/http"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/access"
)

// Credential returns the type of a request's credential ("token", "key", "session" or "none"), and the
// part of the credential that may be shown in logs.
func (g *Guard) Credential(r *http.Request) (via, shown string) {
	if lines := r.Header.Values("Authorization"); len(lines) > 0 {
		secret, _ := bearer(lines)
		if isToken(secret) {
			return "token", ""
		}
		return "key", access.Shown(secret)
	}
	if session := g.Cookies.Get(r, SessionCookie); session != "" {
		return "session", access.Shown(session)
	}
	return "none", ""
}

// keyNames are common names of URL parameters that contain an API key.
var keyNames = []string{"access_token", "api_key", "apikey", "authorization"}

// KeyInAddress reports whether the URL of a request contains an API key, the beginning of one, or a
// parameter named in keyNames. An API key in a URL may end up in logs.
func KeyInAddress(r *http.Request) bool {
	if access.Leaks(r.URL.Path) || access.Leaks(r.URL.RawQuery) {
		return true
	}
	if r.URL.RawQuery == "" {
		return false
	}
	query := r.URL.Query()
	for _, name := range keyNames {
		if query.Has(name) {
			return true
		}
	}
	for _, values := range query {
		if access.Leaks(strings.Join(values, " ")) {
			return true
		}
	}
	return false
}
