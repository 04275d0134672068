package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
)

// TestAFileThatCannotBeChecked is told so where it was sent to, and again where
// the form is sent again; and to whom it is not shown.
func TestAFileThatCannotBeChecked(t *testing.T) {
	t.Parallel()
	l, id := broken(t)
	var at string
	for name, story := range map[string]struct {
		content string
		status  int
	}{
		"a letter":         {"%PDF-1.7\n", http.StatusUnsupportedMediaType},
		"headings alone":   {"SKU,Name,Price\n", http.StatusUnprocessableEntity},
		"too many columns": {strings.Repeat("x,", 300) + "\n1\n", http.StatusRequestEntityTooLarge},
	} {
		sent := l.call(http.MethodPost, "/imports/check", form(field("kind", "products.import"), file("a.csv", story.content)),
			"Content-Type", multipartType, "Accept", htmlType)
		sent.is(http.StatusSeeOther)
		at = sent.header.Get("Location")
		_, draft, _ := strings.Cut(at, "draft=")
		shown := l.look(at, "Accept", htmlType)
		again := l.call(http.MethodPost, "/imports/check", "draft="+draft, "Content-Type", formType, "Accept", htmlType)
		if shown.status != story.status || again.status != story.status {
			t.Errorf("%s: %d and %d, want %d\n%s", name, shown.status, again.status, story.status, shown.body)
		}
	}
	fine(t, l.db.Write.Exec("UPDATE tasks SET status = 'canceled' WHERE id = ?", id).Error)
	r := l.call(http.MethodPost, "/tasks/"+id+"/repair", url.Values{"act": {"resubmit"}, "rows": {"all"}, "go": {"1"}}.Encode(),
		"Content-Type", formType, "Accept", htmlType)
	r.is(http.StatusConflict)
	_, viewer := l.member("default", access.Viewer)
	l.as(viewer).look(at, "Accept", htmlType).is(http.StatusForbidden)
}
