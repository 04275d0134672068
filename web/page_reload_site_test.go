package web_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestPages_AddressOfAForm_LeadsABrowserToItsPage: a browser that reloads the answer to a form sees the page
// with the form. A program still reads that the method is not allowed.
func TestPages_AddressOfAForm_LeadsABrowserToItsPage(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, owner := l.owner()
	for at, want := range map[string]string{
		"/tasks/x/pause": "/tasks/x", "/tasks/x/fix": "/tasks/x", "/views": "/", "/look": "/", "/sign-out": "/",
		"/ops/rows/x.1/run": "/ops/rows/x.1", "/ops/queues/a%20b/control/pause": "/ops/queues/a%20b", "/ops/nodes/n1/drain": "/ops/nodes",
		"/ops/webhooks/w/deliveries/d/replay": "/ops/webhooks/w", "/ops/limits/pause": "/ops/limits",
		"/ops/tenants/acme/control/remove": "/ops/tenants/acme", "/ops/access/key_a/revoke": "/ops/access/key_a",
	} {
		r := owner.look(at, "Accept", htmlType)
		if r.status != http.StatusSeeOther || r.header.Get("Location") != want {
			t.Errorf("%s leads with %d to %q, want %q", at, r.status, r.header.Get("Location"), want)
		}
		owner.look(at).refuses(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
	}
	if r := owner.look("/api/v1/tasks/x/pause", "Accept", htmlType); r.status != http.StatusMethodNotAllowed {
		t.Errorf("the API redirects: %d", r.status)
	}
}

// TestPages_AnswerToAForm_KeepsItsAddressInAnotherLanguage: the choice of a language leads back to the page,
// with the query of its address.
func TestPages_AnswerToAForm_KeepsItsAddressInAnotherLanguage(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	_, owner := l.owner()
	for body, want := range map[string]string{
		owner.page("/?q=a+b&days=7"):                              "/?q=a&#43;b&amp;days=7",
		owner.submits("/ops/limits", "slots", "-1").body:          "/ops/limits",
		owner.submits("/ops/tenants/acme", "weight", "none").body: "/ops/tenants/acme",
		owner.submits("/ops/limits/pause").body:                   "/ops/limits/pause",
	} {
		if !strings.Contains(body, `name="to" value="`+want+`"`) {
			t.Errorf("no choice of a language leads to %s", want)
		}
	}
}
