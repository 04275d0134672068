package web

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// What a reader has chosen for the pages is kept by the browser for a year.
const (
	langCookie  = "rollcall_lang"
	themeCookie = "rollcall_theme"
	choiceTime  = 365 * 24 * 60 * 60 // seconds
)

// languageNames are the languages of the pages, each in its own.
var languageNames = map[string]string{"en": "English", "ru": "Русский", "vi": "Tiếng Việt", "zh": "中文"}

// themes are the colours that a reader may choose; the first is that of the device.
var themes = []string{"auto", "light", "dark"}

// frame is what stands around every page.
type frame struct {
	Lang, Theme string
	To          string   // where the choice of a language leads back to
	Doors       []choice // to the parts of the service that the reader may see
	View        any
}

// choice is one of several to choose from: a button, an option, a link.
type choice struct {
	Value, Words string
	Chosen       bool
}

func newFrame(c *gin.Context, view any) frame {
	f := frame{Lang: string(tongueOf(c)), Theme: themes[0], To: "/", View: view}
	if c.Request.Method == http.MethodGet {
		f.To = c.Request.URL.RequestURI()
	}
	f.Doors = doors(c)
	if theme, _ := c.Cookie(themeCookie); slices.Contains(themes, theme) {
		f.Theme = theme
	}
	return f
}

// doors are the links of the header.
func doors(c *gin.Context) []choice {
	in, path := tongueOf(c), c.Request.URL.Path
	out := []choice{
		{"/", in.say("imports"), path == "/"},
		{"/exports", in.say("exports"), path == "/exports"},
	}
	if caller(c).May(access.OpsRead) {
		out = append(out, choice{"/ops", in.say("ops"), path == "/ops" || strings.HasPrefix(path, "/ops/")})
	}
	return out
}

// Languages are the buttons that choose one.
func (f frame) Languages() (out []choice) {
	for _, lang := range words.Languages() {
		out = append(out, choice{lang, languageNames[lang], lang == f.Lang})
	}
	return out
}

// Themes are the buttons that choose one.
func (f frame) Themes() (out []choice) {
	for _, theme := range themes {
		out = append(out, choice{theme, tongue(f.Lang).say("theme." + theme), theme == f.Theme})
	}
	return out
}

// chosenLang is the language that a reader has chosen, or "".
func chosenLang(c *gin.Context) string {
	lang, err := c.Cookie(langCookie)
	if err != nil || !slices.Contains(words.Languages(), lang) {
		return ""
	}
	return lang
}

// postLook serves POST /look: keeps a chosen language or theme, and goes back.
func (p *pages) postLook(c *gin.Context) error {
	form := formOf(c)
	if lang := form.Get("lang"); slices.Contains(words.Languages(), lang) {
		keepChoice(c, langCookie, lang)
	}
	if theme := form.Get("theme"); slices.Contains(themes, theme) {
		keepChoice(c, themeCookie, theme)
	}
	c.Redirect(http.StatusSeeOther, inside(form.Get("to")))
	return nil
}

func keepChoice(c *gin.Context, name, value string) {
	http.SetCookie(c.Writer, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: choiceTime, HttpOnly: true,
		SameSite: http.SameSiteLaxMode,
	})
}
