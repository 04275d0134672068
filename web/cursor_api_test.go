package web_test

import (
	"encoding/base64"
	"net/http"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
)

// TestCursorsCannotBeForged: a cursor is valid for its tenant, list and filters, in every process,
// and no byte of it can be changed.
func TestCursorsCannotBeForged(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	var both []string
	for _, tenant := range []string{"acme", "globex"} {
		_, secret, err := l.opt.Access.Create(t.Context(), "test", access.Draft{Tenant: tenant, Name: "a", Role: access.Admin})
		fine(t, err)
		l.secret = secret
		for range 2 {
			l.call(http.MethodPost, "/api/v1/tasks", `{"kind":"products.import","open":true}`, "Content-Type", jsonType).
				is(http.StatusAccepted)
		}
		_, next := l.look("/api/v1/tasks?limit=1&kind=products.import").items()
		both = append(both, next)
	}
	l.look("/api/v1/tasks?kind=products.import&cursor="+both[0]).refuses(http.StatusBadRequest, "BAD_CURSOR")
	mine := both[1]
	raw, err := base64.RawURLEncoding.DecodeString(mine)
	fine(t, err)
	for i := range raw {
		raw[i] ^= 1
		l.look("/api/v1/tasks?kind=products.import&cursor="+base64.RawURLEncoding.EncodeToString(raw)).
			refuses(http.StatusBadRequest, "BAD_CURSOR", `"pointer":"?cursor"`)
		raw[i] ^= 1
	}
	for _, path := range []string{
		"/tasks?kind=other&", "/tasks?", "/tasks?kind=products.import&status=open&", "/webhooks?", "/keys?",
	} {
		l.look("/api/v1"+path+"cursor="+mine).refuses(http.StatusBadRequest, "BAD_CURSOR")
	}
	l.twin().look("/api/v1/tasks?limit=2&kind=products.import&cursor=" + mine).is(http.StatusOK)
	stranger := *l
	stranger.opt.Secret = nil
	stranger.serve()
	stranger.look("/api/v1/tasks?kind=products.import&cursor="+mine).refuses(http.StatusBadRequest, "BAD_CURSOR")
}
