package pages

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

// savedView is a named set of filters for the table of imports.
type savedView struct {
	Name  string `json:"name"`
	Query string `json:"query"`
}

// At returns the path of the table of imports with these filters.
func (v savedView) At() string { return "/?" + v.Query }

// savedViews is the content of the cookie: the saved views of one user.
type savedViews struct {
	Person string      `json:"person"`
	List   []savedView `json:"list"`
}

// personOf returns the tenant and the id of the caller, which the cookie stores.
func personOf(c *gin.Context) string { return request.Tenant(c) + "/" + request.Actor(c) }

// viewsOf returns the saved views in the cookie. If another user has saved them, it returns none.
func viewsOf(c *gin.Context) []savedView {
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
		kept.List[i].Query = filtersOf(kept.List[i].Query).Encode()
	}
	return kept.List[:min(len(kept.List), mostViews)]
}

// filtersOf returns the filters of the table of imports that a query contains. It drops all other
// parameters.
func filtersOf(query string) url.Values {
	out := url.Values{}
	asked, _ := url.ParseQuery(query) // the invalid parts of a query are dropped
	for _, name := range homeFilters {
		if text := asked.Get(name); text != "" && textutil.Storable(text) {
			out.Set(name, text)
		}
	}
	return out
}

// postViews serves POST /views. It saves the filters of the table of imports under a name, or deletes a
// saved view. A saved view with the same name is replaced.
func (p *Handlers) postViews(c *gin.Context) error {
	form, at := request.Form(c), "/"
	name := strings.TrimSpace(form.Get("name"))
	list := slices.DeleteFunc(viewsOf(c), func(v savedView) bool { return v.Name == name })
	if form.Get("act") != "delete" {
		if name == "" || utf8.RuneCountInString(name) > mostViewName || !textutil.Storable(name) {
			return problem.BadMember("name", http.StatusUnprocessableEntity, request.Printer(c).Text("views.name.wrong", "n", mostViewName))
		}
		list = append(list, savedView{name, filtersOf(form.Get("query")).Encode()})
		at = list[len(list)-1].At()
	}
	text, err := json.Marshal(savedViews{personOf(c), list})
	if err != nil {
		return err
	}
	if len(list) > mostViews || base64.RawURLEncoding.EncodedLen(len(text)) > mostViewBytes {
		return problem.BadMember("name", http.StatusUnprocessableEntity, request.Printer(c).Text("views.full"))
	}
	keepChoice(c, viewsCookie, base64.RawURLEncoding.EncodeToString(text))
	c.Redirect(http.StatusSeeOther, at)
	return nil
}
