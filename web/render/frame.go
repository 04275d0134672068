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

// Cookies with the choices of a reader for the pages.
const (
	LangCookie  = "rollcall_lang"
	ThemeCookie = "rollcall_theme"
)

// languageNames maps the languages of the pages to their own names.
var languageNames = map[string]string{"en": "English", "ru": "Русский", "vi": "Tiếng Việt", "zh": "中文"}

// Themes are the colours that a reader may choose; the first follows the device.
var Themes = []string{"auto", "light", "dark"}

// frame holds the header and the settings of every page.
type frame struct {
	Lang, Theme string
	Me          string   // name of the user or key, "" without one
	To          string   // address of the page after the choice of a language
	Doors       []Choice // links to the parts of the service that the reader may see
	View        any
	base        string // the path below which the reader reaches the service
}

// Choice is a button, an option or a link to choose from.
type Choice struct {
	Value, Words string
	Chosen       bool
}

// NewFrame returns the frame of a page in the language and theme of a request.
func NewFrame(c *gin.Context, view any) frame {
	f := frame{Lang: string(request.Printer(c)), Theme: Themes[0], To: "/", View: view, base: base.Of(c.Request.Context())}
	if c.Request.Method == http.MethodGet {
		f.To = c.Request.URL.RequestURI()
	}
	f.Doors, f.Me = doors(c), request.Caller(c).Name
	if theme, _ := c.Cookie(ThemeCookie); slices.Contains(Themes, theme) {
		f.Theme = theme
	}
	return f
}

// doors returns the links of the header.
func doors(c *gin.Context) []Choice {
	in, path := request.Printer(c), c.Request.URL.Path
	out := []Choice{
		{"/", in.Text("imports"), path == "/" || strings.HasPrefix(path, "/imports") || strings.HasPrefix(path, "/tasks/")},
		{"/exports", in.Text("exports"), path == "/exports"},
	}
	if request.Caller(c).May(access.OpsRead) {
		out = append(out, Choice{"/ops", in.Text("ops"), path == "/ops" || strings.HasPrefix(path, "/ops/")})
	}
	return out
}

// Languages returns the buttons that choose a language.
func (f frame) Languages() (out []Choice) {
	for _, lang := range words.Languages() {
		out = append(out, Choice{lang, languageNames[lang], lang == f.Lang})
	}
	return out
}

// Themes returns the buttons that choose a theme.
func (f frame) Themes() (out []Choice) {
	for _, theme := range Themes {
		out = append(out, Choice{theme, locale.Printer(f.Lang).Text("theme." + theme), theme == f.Theme})
	}
	return out
}

// ChosenLang returns the language that a reader has chosen, or "".
func ChosenLang(c *gin.Context) string {
	lang, err := c.Cookie(LangCookie)
	if err != nil || !slices.Contains(words.Languages(), lang) {
		return ""
	}
	return lang
}
