package pages

import (
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/web/base"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
)

// choiceTime is the time for which a browser keeps a chosen language or theme, in seconds: one year.
const choiceTime = 365 * 24 * 60 * 60

// savePreference serves POST /look. It stores the chosen language or theme in a cookie, and redirects back.
func (p *Handlers) savePreference(c *gin.Context) error {
	form := request.Form(c)
	if lang := form.Get("lang"); slices.Contains(words.Languages(), lang) {
		keepChoice(c, render.LangCookie, lang)
	}
	if theme := form.Get("theme"); slices.Contains(render.Themes, theme) {
		keepChoice(c, render.ThemeCookie, theme)
	}
	c.Redirect(http.StatusSeeOther, render.Inside(form.Get("to")))
	return nil
}

func keepChoice(c *gin.Context, name, value string) {
	http.SetCookie(c.Writer, &http.Cookie{
		Name: name, Value: value, Path: base.CookiePath(base.Of(c.Request.Context())), MaxAge: choiceTime, HttpOnly: true,
		SameSite: http.SameSiteLaxMode,
	})
}
