// Package savedviews keeps named sets of filters for the list of imports, in a cookie of the browser.
package savedviews

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/base"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/request"
)

// viewsCookie is the name of the cookie in which a browser keeps the saved views of a user.
const viewsCookie = "rollcall_views"

// These are the limits of saved views: their number, the characters of a name, and the bytes of the cookie.
const (
	mostViews     = 10
	mostViewName  = 60
	mostViewBytes = 3_500
)

// View is a named set of filters for the list of imports.
type View struct {
	Name  string `json:"name"`
	Query string `json:"query"`
}

// At returns the path of the list of imports with these filters.
func (v View) At() string { return "/?" + v.Query }

// savedViews is the content of the cookie: the saved views of one user.
type savedViews struct {
	Person string `json:"person"`
	List   []View `json:"list"`
}

// personOf returns the tenant and the id of the caller, which the cookie stores.
func personOf(c *gin.Context) string { return request.Tenant(c) + "/" + request.Actor(c) }

// Of returns the saved views in the cookie, or none if another user has saved them. It removes the URL parameters of
// a view that are not in `filters`.
func Of(c *gin.Context, filters []string) []View {
	cookie, err := c.Request.Cookie(viewsCookie)
	if err != nil {
		return nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cookie.Value)
	var kept savedViews
	if err != nil || json.Unmarshal(text, &kept) != nil || kept.Person != personOf(c) {
		return nil
	}
	for i := range kept.List {
		kept.List[i].Query = only(kept.List[i].Query, filters)
	}
	return kept.List[:min(len(kept.List), mostViews)]
}

// only returns a query with the given parameters only.
func only(query string, filters []string) string {
	out := url.Values{}
	asked, _ := url.ParseQuery(query) // the invalid parts of a query are dropped
	for _, name := range filters {
		if text := asked.Get(name); text != "" && textutil.Storable(text) {
			out.Set(name, text)
		}
	}
	return out.Encode()
}

// Save serves POST /views. It saves filters under a name, or deletes a saved view, and redirects to the list. A saved
// view with the same name is replaced.
func Save(c *gin.Context, filters []string) error {
	form, at := request.Form(c), "/"
	name := strings.TrimSpace(form.Get("name"))
	list := slices.DeleteFunc(Of(c, filters), func(v View) bool { return v.Name == name })
	if form.Get("act") != "delete" {
		if name == "" || utf8.RuneCountInString(name) > mostViewName || !textutil.Storable(name) {
			return problem.BadMember("name", http.StatusUnprocessableEntity, request.Printer(c).Text("views.name.wrong", "n", mostViewName))
		}
		list = append(list, View{name, only(form.Get("query"), filters)})
		at = list[len(list)-1].At()
	}
	text, err := json.Marshal(savedViews{personOf(c), list})
	if err != nil {
		return err
	}
	if len(list) > mostViews || base64.RawURLEncoding.EncodedLen(len(text)) > mostViewBytes {
		return problem.BadMember("name", http.StatusUnprocessableEntity, request.Printer(c).Text("views.full"))
	}
	KeepCookie(c, viewsCookie, base64.RawURLEncoding.EncodeToString(text))
	c.Redirect(http.StatusSeeOther, at)
	return nil
}

// cookieTime is the time for which a browser keeps a choice of the user, in seconds: one year.
const cookieTime = 365 * 24 * 60 * 60

// KeepCookie stores a choice of the user in a cookie of the browser.
func KeepCookie(c *gin.Context, name, value string) {
	http.SetCookie(c.Writer, &http.Cookie{
		Name: name, Value: value, Path: base.CookiePath(base.Of(c.Request.Context())), MaxAge: cookieTime, HttpOnly: true,
		SameSite: http.SameSiteLaxMode,
	})
}
