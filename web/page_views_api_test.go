package web_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// savesView sends the form of saved views and returns the cookie that the browser keeps.
func (l *lab) savesView(cookie string, form url.Values) string {
	l.t.Helper()
	r := l.call("POST", "/views", form.Encode(), "Content-Type", formType, "Accept", htmlType, "Cookie", cookie)
	r.is(http.StatusSeeOther)
	kept, err := http.ParseSetCookie(r.header.Get("Set-Cookie"))
	fine(l.t, err)
	return kept.Name + "=" + kept.Value
}

// TestHome_SavedView_IsOneClickAway: filters get a name, which the browser keeps for this user. The
// view is shown as a link, replaced and deleted. A forged cookie, or that of another user, shows
// nothing.
func TestHome_SavedView_IsOneClickAway(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	home := func(path, cookie string) string { return l.look(path, "Accept", htmlType, "Cookie", cookie).body }
	if page := home("/", ""); strings.Contains(page, "/views") {
		t.Error("without filters there is something to save")
	}
	tells(t, home("/?q=prices&days=7", ""), "Save these filters")
	cookie := l.savesView("", url.Values{"act": {"save"}, "name": {" <b>Prices</b> "}, "query": {"q=prices&days=7&cursor=x"}})
	tells(t, home("/", cookie), "<b>Prices</b>")
	if page := home("/", cookie); !strings.Contains(page, `href="/?days=7&amp;q=prices"`) || strings.Contains(page, "<b>Prices") {
		t.Error("the view is no link with its filters alone, or its name is markup")
	}
	tells(t, home("/?q=prices&days=7", cookie), "Delete the view “<b>Prices</b>”")
	cookie = l.savesView(cookie, url.Values{"act": {"save"}, "name": {"<b>Prices</b>"}, "query": {"tab=correct"}})
	if page := home("/", cookie); strings.Contains(page, "days=7") || !strings.Contains(page, `href="/?tab=correct"`) {
		t.Error("the view with the same name is not replaced")
	}

	text, err := base64.RawURLEncoding.DecodeString(strings.SplitN(cookie, "=", 2)[1])
	fine(t, err)
	other := base64.RawURLEncoding.EncodeToString([]byte(strings.Replace(string(text), `"person":"`, `"person":"other`, 1)))
	for _, foreign := range []string{other, "!", base64.RawURLEncoding.EncodeToString([]byte("{"))} {
		if strings.Contains(home("/", "rollcall_views="+foreign), "Prices") {
			t.Errorf("%s shows the view", foreign)
		}
	}
	gone := l.savesView(cookie, url.Values{"act": {"delete"}, "name": {"<b>Prices</b>"}})
	if strings.Contains(home("/", gone), "Prices") {
		t.Error("the view was deleted, and is shown")
	}
}

// TestHome_ViewsBeyondTheBounds_AreRefused: a view needs a name, and a browser keeps ten views.
func TestHome_ViewsBeyondTheBounds_AreRefused(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	refused := func(cookie, name, want string) {
		r := l.call("POST", "/views", url.Values{"act": {"save"}, "name": {name}, "query": {"days=7"}}.Encode(),
			"Content-Type", formType, "Accept", htmlType, "Cookie", cookie)
		r.is(http.StatusUnprocessableEntity)
		tells(t, r.body, want)
	}
	refused("", " ", "Enter a name of at most 60 characters.")
	refused("", strings.Repeat("n", 61), "Enter a name of at most 60 characters.")
	cookie := ""
	for i := range 10 {
		cookie = l.savesView(cookie, url.Values{"act": {"save"}, "name": {strings.Repeat("n", i+1)}, "query": {"days=7"}})
	}
	refused(cookie, "eleven", "Delete a view first")
}
