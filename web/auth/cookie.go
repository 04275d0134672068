package auth

import (
	"net/http"
	"strings"

	"github.com/rollcall-dev/rollcall/web/base"
)

// Browsers accept cookies with these prefixes over TLS only. With hostPrefix, pages of sibling
// domains cannot set the cookie, and its path must be "/".
const (
	hostPrefix   = "__Host-"
	securePrefix = "__Secure-"
)

// Cookies is a reader and writer of the cookies of the service. PublicURL is the URL at which browsers
// reach the service; "" if it is unknown.
type Cookies struct{ PublicURL string }

func (k Cookies) public() bool { return strings.HasPrefix(k.PublicURL, "https://") }

// name returns the name of a cookie with its prefix. The prefix is securePrefix if the service is served
// below a path, and hostPrefix otherwise. If PublicURL does not begin with https://, there is no prefix.
func (k Cookies) name(r *http.Request, name string) string {
	switch {
	case !k.public():
		return name
	case base.Of(r.Context()) != "":
		return securePrefix + name
	}
	return hostPrefix + name
}

// Get returns the value of a cookie; "" if the request lacks the cookie.
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
	Seconds     int  // lifetime in the browser; a negative number deletes the cookie
	TLS         bool // the browser uses TLS; ignored if there is a PublicURL
}

// Set sets a cookie in the browser of a request. Scripts cannot read the cookie. Browsers send the cookie
// only to URLs below the path of the service, and never with a POST from another site (SameSite=Lax).
// Browsers do send the cookie when a user follows a link from another site, or returns from the sign-in at
// another site.
func (k Cookies) Set(w http.ResponseWriter, r *http.Request, c Cookie) {
	if k.PublicURL != "" {
		c.TLS = k.public()
	}
	http.SetCookie(w, &http.Cookie{
		Name: k.name(r, c.Name), Value: c.Value, Path: base.CookiePath(base.Of(r.Context())), MaxAge: c.Seconds, HttpOnly: true,
		SameSite: http.SameSiteLaxMode, Secure: c.TLS,
	})
}
