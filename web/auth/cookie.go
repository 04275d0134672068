package auth

import (
	"net/http"
	"strings"
)

// hostPrefix begins the names of cookies that a browser takes from this host alone, over TLS:
// a page of a sibling domain cannot set one.
const hostPrefix = "__Host-"

// Cookies reads and sets the cookies of the service. PublicURL is the address of the service as
// browsers know it, or "".
type Cookies struct{ PublicURL string }

// public reports whether browsers reach the service over TLS, as PublicURL says.
func (k Cookies) public() bool { return strings.HasPrefix(k.PublicURL, "https://") }

// name returns the name under which browsers keep a cookie.
func (k Cookies) name(name string) string {
	if k.public() {
		return hostPrefix + name
	}
	return name
}

// Get returns the value of a cookie of a request, or "".
func (k Cookies) Get(r *http.Request, name string) string {
	cookie, err := r.Cookie(k.name(name))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// Set has the browser keep a cookie for some seconds, or delete it if they are negative. No
// script can read it, and no other site can send it with a change. It is Lax, so a link of
// another site finds the user signed in, and a sign-in returns from another site. If there is no
// PublicURL, tls says whether the browser speaks TLS.
func (k Cookies) Set(w http.ResponseWriter, name, value string, seconds int, tls bool) {
	if k.PublicURL != "" {
		tls = k.public()
	}
	http.SetCookie(w, &http.Cookie{
		Name: k.name(name), Value: value, Path: "/", MaxAge: seconds, HttpOnly: true,
		SameSite: http.SameSiteLaxMode, Secure: tls,
	})
}
