package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
)

func TestRefused_CredentialOfATenant_IsInItsAudit(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, boss := l.member("acme", access.Admin)
	gone, revoked := l.member("acme", access.Viewer)
	fine(t, l.opt.Access.Revoke(t.Context(), "test", "acme", gone))
	for range 4 {
		l.as(revoked).look("/api/v1/tasks").refuses(http.StatusUnauthorized, "API_KEY_REVOKED")
	}
	l.look("/api/v1/tasks").refuses(http.StatusUnauthorized, "API_KEY_REQUIRED") // belongs to no tenant
	l.api.Stop()
	log, _ := l.as(boss).look("/api/v1/audit").items()
	for i, touched := range []float64{3, 1} {
		e := log[i]
		if e["act"] != "refused" || e["target"] != gone || e["touched"] != touched || e["by"] != "system" ||
			!strings.HasPrefix(e["note"].(string), "API_KEY_REVOKED from 127.0.0.1") {
			t.Errorf("entry %d: %v, want %v refused", i, e, touched)
		}
	}
	if log[2]["act"] != "revoke-key" {
		t.Errorf("before them: %v", log[2])
	}
}
