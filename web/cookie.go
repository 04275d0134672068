package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

// hostPrefix begins the names of cookies that a browser takes from this host alone, over TLS:
// a page of a sibling domain cannot plant one.
const hostPrefix = "__Host-"

// public reports whether browsers reach the service over TLS, as PublicURL says.
func (s *Server) public() bool { return strings.HasPrefix(s.opt.PublicURL, "https://") }

// cookieName returns the name under which browsers keep a cookie.
func (s *Server) cookieName(name string) string {
	if s.public() {
		return hostPrefix + name
	}
	return name
}

// cookieOf returns the value of a cookie of a request, or "".
func (s *Server) cookieOf(r *http.Request, name string) string {
	cookie, err := r.Cookie(s.cookieName(name))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// setCookie has the browser keep a cookie, which no script can read and no other site can
// send with a change. It is Lax, so a link of another site finds the user signed in, and a
// sign-in comes back from another site.
func (s *Server) setCookie(c *gin.Context, name, value string, seconds int) {
	http.SetCookie(c.Writer, &http.Cookie{
		Name: s.cookieName(name), Value: value, Path: "/", MaxAge: seconds, HttpOnly: true,
		SameSite: http.SameSiteLaxMode, Secure: s.secure(c),
	})
}

// secure reports whether the browser speaks TLS. PublicURL decides; without it, the
// connection and a trusted proxy do.
func (s *Server) secure(c *gin.Context) bool {
	if s.opt.PublicURL != "" {
		return s.public()
	}
	return c.GetBool(tlsKey)
}

// sign returns a text with a signature of the service, for a cookie of a name.
func sign(key []byte, name string, text []byte) string {
	return base64.RawURLEncoding.EncodeToString(text) + "." +
		base64.RawURLEncoding.EncodeToString(signature(key, name, text))
}

// signed returns the text of a value that sign made.
func signed(key []byte, name, value string) (text []byte, ok bool) {
	body, seal, _ := strings.Cut(value, ".")
	text, err := base64.RawURLEncoding.DecodeString(body)
	if err != nil {
		return nil, false
	}
	mac, err := base64.RawURLEncoding.DecodeString(seal)
	return text, err == nil && hmac.Equal(mac, signature(key, name, text))
}

func signature(key []byte, name string, text []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("cookie\x00" + name + "\x00"))
	mac.Write(text)
	return mac.Sum(nil)
}
