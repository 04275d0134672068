package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
)

// TestWizard_FileThatCannotBeRead_IsRefusedAtOnce: the form shows the reason, and nothing is
// stored. Viewers and other tenants cannot open the pages of an upload.
func TestWizard_FileThatCannotBeRead_IsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	l, id := broken(t)
	send := func(content string) reply {
		return l.call(http.MethodPost, "/imports", form(field("kind", "products.import"), file("a.csv", content)),
			"Content-Type", multipartType, "Accept", htmlType)
	}
	for name, story := range map[string]struct {
		content string
		status  int
	}{
		"a letter":         {"%PDF-1.7\n", http.StatusUnsupportedMediaType},
		"too many columns": {strings.Repeat("x,", 300) + "\n1\n", http.StatusRequestEntityTooLarge},
	} {
		if r := send(story.content); r.status != story.status || !strings.Contains(string(r.body), `role="alert"`) {
			t.Errorf("%s: %d, want %d\n%s", name, r.status, story.status, r.body)
		}
	}
	sent := send("SKU,Name,Price\nA,a,1\n")
	sent.is(http.StatusSeeOther)
	at := strings.TrimSuffix(sent.header.Get("Location"), "/check")
	fine(t, l.db.Write.Exec("UPDATE rollcall.tasks SET status = 'canceled' WHERE id = ?", id).Error)
	r := l.call(http.MethodPost, "/tasks/"+id+"/repair", url.Values{"act": {"resubmit"}, "rows": {"all"}, "go": {"1"}}.Encode(),
		"Content-Type", formType, "Accept", htmlType)
	r.is(http.StatusConflict)
	_, viewer := l.member("default", access.Viewer)
	l.as(viewer).look(at, "Accept", htmlType).is(http.StatusForbidden)
	_, other := l.member("acme", access.Admin)
	l.as(other).look(at, "Accept", htmlType).is(http.StatusNotFound)
}
