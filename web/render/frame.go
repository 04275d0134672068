package render

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/web/base"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/request"
)

// LangCookie and ThemeCookie are the names of the cookies that store the choices of a user.
const (
	LangCookie  = "rollcall_lang"
	ThemeCookie = "rollcall_theme"
)

// languageNames maps each language of the pages to its name in that language.
var languageNames = map[string]string{"en": "English", "ru": "Русский", "vi": "Tiếng Việt", "zh": "中文"}

// Themes are the themes that a user may choose. The first follows the setting of the device.
var Themes = []string{"auto", "light", "dark"}

// frame holds the header and the settings that every page has.
type frame struct {
	Lang, Theme string
	Me          string   // name of the user or API key, "" without one
	Of          string   // tenant of the user or API key; "" for the owner, and in a service of one tenant
	To          string   // address of the page after the choice of a language or theme
	Doors       []Choice // links to the parts of the service that the user may see
	View        any
	base        string // the path below which the user reaches the service
}

// Choice is a button, an option or a link among several.
type Choice struct {
	Value, Words string
	Chosen       bool
}

// soleTenant is the name of the only tenant of a service with one tenant. The header does not show it.
const soleTenant = "default"

// NewFrame returns the frame of a page in the language and theme of a request. The argument `view` holds
// the data of the page.
func NewFrame(c *gin.Context, view any) frame {
	f := frame{Lang: string(request.Printer(c)), Theme: Themes[0], To: "/", View: view, base: base.Of(c.Request.Context())}
	switch {
	case c.Request.Method == http.MethodGet:
		f.To = c.Request.URL.RequestURI()
	case c.FullPath() != "": // the answer to a form: the address leads to its page
		f.To = c.Request.URL.EscapedPath()
	}
	g := request.Caller(c)
	f.Doors, f.Me = headerLinks(c, view), g.Name
	if g.Tenant != soleTenant {
		f.Of = g.Tenant
	}
	if theme, _ := c.Cookie(ThemeCookie); slices.Contains(Themes, theme) {
		f.Theme = theme
	}
	return f
}

// headerLinks returns the links in the header that the user may open. It marks the link that the current
// page belongs to. A page of an export belongs to the link of exports. A page with the method OfNoPart,
// such as the sign-in, belongs to no link.
func headerLinks(c *gin.Context, view any) []Choice {
	in, path := request.Printer(c), c.Request.URL.Path
	of, ok := view.(interface{ OfExport() bool })
	export := ok && of.OfExport()
	if _, apart := view.(interface{ OfNoPart() }); apart {
		path = ""
	}
	out := []Choice{
		{"/", in.Text("imports"), path == "/" || strings.HasPrefix(path, "/imports") || strings.HasPrefix(path, "/tasks/") && !export},
		{"/exports", in.Text("exports"), path == "/exports" || export},
	}
	if request.Caller(c).May(access.OpsRead) {
		out = append(out, Choice{"/ops", in.Text("ops"), path == "/ops" || strings.HasPrefix(path, "/ops/")})
	}
	return out
}

// Languages returns the buttons that choose the language.
func (f frame) Languages() (out []Choice) {
	for _, lang := range words.Languages() {
		out = append(out, Choice{lang, languageNames[lang], lang == f.Lang})
	}
	return out
}

// Themes returns the buttons that choose the theme.
func (f frame) Themes() (out []Choice) {
	for _, theme := range Themes {
		out = append(out, Choice{theme, locale.Printer(f.Lang).Text("theme." + theme), theme == f.Theme})
	}
	return out
}

// ChosenLang returns the language that the user has chosen; "" if there is no choice.
func ChosenLang(c *gin.Context) string {
	lang, err := c.Cookie(LangCookie)
	if err != nil || !slices.Contains(words.Languages(), lang) {
		return ""
	}
	return lang
}
