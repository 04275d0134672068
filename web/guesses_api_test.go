package web_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
)

func TestGuesses_BehindOneAddress_RefuseNoGoodClient(t *testing.T) {
	t.Parallel()
	l, i := newLab(t), newIssuer(t)
	i.trusted(&l.opt)
	l.serve()
	_, secret := l.member("default", access.Viewer)
	session := l.signIn(secret, "/").kept("rollcall_session")
	token := i.token(t, ann.with(claims{"exp": dawn.Unix() + 900}))
	forged := token[:strings.LastIndex(token, ".")+1] + strings.Repeat("A", 342)

	restarted := l.twin()
	wrong := secret[:20] + strings.Repeat("2", len(secret)-20)
	for range 20 {
		restarted.as(wrong).look("/api/v1/tasks").refuses(http.StatusUnauthorized, "API_KEY_UNKNOWN")
	}
	var guessers sync.WaitGroup
	for range 30 { // at once: each waits for new keys of the issuer
		guessers.Go(func() { restarted.as(forged).look("/api/v1/tasks") })
	}
	restarted.as(wrong).look("/api/v1/tasks").refuses(http.StatusTooManyRequests, "TOO_MANY_WRONG_KEYS")
	restarted.as(secret).look("/api/v1/tasks").is(http.StatusOK)
	restarted.as(token).look("/api/v1/tasks").is(http.StatusOK)
	restarted.look("/", "Cookie", session, "Accept", htmlType).is(http.StatusOK)
	restarted.signIn(secret, "/").is(http.StatusSeeOther)
	guessers.Wait()
	restarted.as(forged).look("/api/v1/tasks").refuses(http.StatusTooManyRequests, "TOO_MANY_WRONG_KEYS")
	restarted.as(token).look("/api/v1/tasks").is(http.StatusOK)
}
