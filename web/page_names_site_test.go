package web_test

import (
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
)

// TestPages_SentWithAKey_NameTheKey: the table of imports and the history of a task show the name of an API
// key, and no id.
func TestPages_SentWithAKey_NameTheKey(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	admin, secret := l.member("default", access.Admin)
	key := l.as(secret).postTo("/api/v1/keys", `{"name":"Night shift","role":"reviewer"}`).object()
	task := "/tasks/" + l.as(key["secret"].(string)).accepted("a.csv", rows(1), "")
	for _, path := range []string{"/", task} {
		page := l.as(secret).page(path)
		if tells(t, page, "Night shift"); strings.Contains(page, key["id"].(string)) || strings.Contains(page, admin) {
			t.Errorf("%s shows the id of a key", path)
		}
	}
}
