package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/web"
)

func TestCookies_PublicURLWithTLS_AreBoundToTheHost(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := newLab(t, i.trusted, func(o *web.Options) { o.PublicURL = "https://rollcall.example" })
	_, secret := l.member("default", access.Viewer)
	begun := l.look("/sign-in/oidc")
	in := l.signIn(secret, "/")
	for name, r := range map[string]reply{"__Host-rollcall_session": in, "__Host-rollcall_sign_in": begun} {
		set := r.header.Get("Set-Cookie")
		if !strings.HasPrefix(set, name+"=") || !strings.Contains(set, "; Path=/;") || !strings.Contains(set, "; Secure") ||
			strings.Contains(set, "Domain") {
			t.Errorf("Set-Cookie = %q, want %s", set, name)
		}
	}
	session := in.kept("__Host-rollcall_session")
	l.look("/api/v1/tasks", "Cookie", session).is(http.StatusOK)
	planted := strings.TrimPrefix(session, "__Host-")
	l.look("/api/v1/tasks", "Cookie", planted).refuses(http.StatusUnauthorized, "API_KEY_REQUIRED")
}

func TestCookies_PublicURLWithoutTLS_AreNotSecure(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(o *web.Options) { o.PublicURL = "http://localhost:8080" })
	_, secret := l.member("default", access.Viewer)
	in := l.signIn(secret, "/", "X-Forwarded-Proto", "https")
	if set := in.header.Get("Set-Cookie"); strings.Contains(set, "Secure") || !strings.HasPrefix(set, "rollcall_session=") {
		t.Errorf("Set-Cookie = %q", set)
	}
}

func TestCookies_PeerReportsTLS_AreSecureIfItIsTrusted(t *testing.T) {
	t.Parallel()
	for name, l := range map[string]*lab{"a trusted proxy": behind(t), "another peer": newLab(t)} {
		_, secret := l.member("default", access.Viewer)
		in := l.signIn(secret, "/", "X-Forwarded-Proto", "https")
		set := in.header.Get("Set-Cookie")
		if got, want := strings.Contains(set, "; Secure"), len(l.opt.TrustedProxies) > 0; got != want {
			t.Errorf("%s: Set-Cookie = %q, want Secure = %v", name, set, want)
		}
	}
}
