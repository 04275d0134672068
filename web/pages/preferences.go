package pages

import (
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/savedviews"
)

// savePreference serves POST /look. It stores the chosen language or theme in a cookie, and redirects back.
func (p *Handlers) savePreference(c *gin.Context) error {
	form := request.Form(c)
	if lang := form.Get("lang"); slices.Contains(words.Languages(), lang) {
		savedviews.KeepCookie(c, render.LangCookie, lang)
	}
	if theme := form.Get("theme"); slices.Contains(render.Themes, theme) {
		savedviews.KeepCookie(c, render.ThemeCookie, theme)
	}
	c.Redirect(http.StatusSeeOther, render.Inside(form.Get("to")))
	return nil
}
