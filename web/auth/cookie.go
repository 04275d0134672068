package auth

import (
	"net/http"
	"strings"

	"github.com/rollcall-dev/rollcall/web/base"
)

// A browser accepts a cookie with one of these prefixes over TLS only. hostPrefix also excludes
// cookies of pages of sibling domains, but requires the path "/".
const (
	hostPrefix   = "__Host-"
	securePrefix = "__Secure-"
)

// Cookies reads and sets the cookies of the service. PublicURL is the address of the service as
// browsers know it, or "".
type Cookies struct{ PublicURL string }

// public reports whether browsers reach the service over TLS, by PublicURL.
func (k Cookies) public() bool { return strings.HasPrefix(k.PublicURL, "https://") }

// name returns the name under which browsers keep a cookie of a request.
func (k Cookies) name(r *http.Request, name string) string {
	switch {
	case !k.public():
		return name
	case base.Of(r.Context()) != "":
		return securePrefix + name
	}
	return hostPrefix + name
}

// Get returns the value of a cookie of a request, or "".
func (k Cookies) Get(r *http.Request, name string) string {
	cookie, err := r.Cookie(k.name(r, name))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// Cookie is a cookie for Set.
type Cookie struct {
	Name, Value string
	Seconds     int  // how long the browser keeps it; negative deletes it
	TLS         bool // whether the browser speaks TLS; ignored if there is a PublicURL
}

// Set sets a cookie in the browser of a request. No script can read the cookie, and no other site can
// send it with a change. The cookie is Lax: a user who follows a link from another site is signed in,
// and a sign-in can return from another site. Browsers send the cookie below the base of the service
// only.
func (k Cookies) Set(w http.ResponseWriter, r *http.Request, c Cookie) {
	if k.PublicURL != "" {
		c.TLS = k.public()
	}
	http.SetCookie(w, &http.Cookie{
		Name: k.name(r, c.Name), Value: c.Value, Path: base.CookiePath(base.Of(r.Context())), MaxAge: c.Seconds, HttpOnly: true,
		SameSite: http.SameSiteLaxMode, Secure: c.TLS,
	})
}
