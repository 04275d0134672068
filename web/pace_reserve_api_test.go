package web_test

import (
	"net/http"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
)

// TestRate_TenantHasUsedItUp_AdminRevokes: an admin can still find and revoke a key that uses up
// the rate of its tenant. Each credential has a reserve of its own, which is limited.
func TestRate_TenantHasUsedItUp_AdminRevokes(t *testing.T) {
	t.Parallel()
	l := paced(t, 4)
	mad, secret := l.member("acme", access.Admin)
	_, boss := l.member("acme", access.Admin)
	flood, admin := l.as(secret), l.as(boss)
	flood.let(4, 4)
	for flood.look(keysPath).status == http.StatusOK {
		continue // uses up its own reserve
	}
	admin.look("/api/v1/kinds").refuses(http.StatusTooManyRequests, "RATE_LIMITED")
	found, _ := admin.look(keysPath).items()
	if len(found) != 2 {
		t.Errorf("%d keys are listed, want 2", len(found))
	}
	flood.call(http.MethodDelete, keysPath+"/"+mad, "").refuses(http.StatusTooManyRequests, "RATE_LIMITED")
	admin.call(http.MethodDelete, keysPath+"/"+mad, "").is(http.StatusNoContent)
	admin.call(http.MethodPost, keysPath, `{"name":"x","role":"viewer"}`, "Content-Type", jsonType).
		refuses(http.StatusTooManyRequests, "RATE_LIMITED")
}

// TestOpenPaths_AddressHasUsedThemUp_SessionsEnd: a valid session can be ended. Requests with a wrong session or
// none count like others.
func TestOpenPaths_AddressHasUsedThemUp_SessionsEnd(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, secret := l.member("acme", access.Viewer)
	session := l.signIn(secret, "/").cookie()
	l.opt.OpenRate = 1
	l.serve()
	ends := func(cookie string) reply {
		for l.look("/docs").status == http.StatusOK {
			continue // one more is let in if a minute has passed
		}
		return l.call(http.MethodPost, "/sign-out", "", "Cookie", cookie, "Sec-Fetch-Site", "same-origin")
	}
	ends("").is(http.StatusTooManyRequests)
	ends(session + "x").is(http.StatusTooManyRequests)
	ends(session).is(http.StatusSeeOther)
	l.look("/", "Cookie", session).is(http.StatusUnauthorized)
	ends(session).is(http.StatusTooManyRequests)
}
