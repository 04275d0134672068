package web_test

import (
	"net/http"
	"testing"
	"time"
)

// TestTokens_ClocksDifferByLessThanAMinute_Count: the issuer's clock is ahead or behind, for
// programs and for sign-ins. Tokens with a greater difference are refused.
func TestTokens_ClocksDifferByLessThanAMinute_Count(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := newLab(t, i.trusted)
	at := func(d time.Duration) int64 { return dawn.Add(d).Unix() }
	for name, one := range map[string]struct {
		times claims
		code  string // "" if the token is valid
	}{
		"issuer is ahead":      {claims{"iat": at(50 * time.Second), "nbf": at(50 * time.Second)}, ""},
		"issuer is behind":     {claims{"iat": at(-110 * time.Second), "exp": at(-50 * time.Second)}, ""},
		"issuer is far ahead":  {claims{"iat": at(10 * time.Minute), "nbf": at(10 * time.Minute)}, "TOKEN_INVALID"},
		"issuer is far behind": {claims{"exp": at(-70 * time.Second)}, "TOKEN_EXPIRED"},
	} {
		who := ann.with(one.times).with(claims{"sub": name})
		r, in := l.as(i.token(t, who)).look("/api/v1/tasks"), l.arrives(i, who, "/exports")
		if one.code != "" {
			r.refuses(http.StatusUnauthorized, one.code)
			if in.status != http.StatusForbidden {
				t.Errorf("%s: a sign-in got %d", name, in.status)
			}
			continue
		}
		if r.status != http.StatusOK || in.status != http.StatusSeeOther || in.kept(sessionName) == "" {
			t.Errorf("%s: a token got %d %s, a sign-in %d", name, r.status, r.body, in.status)
		}
	}
}
