package web

import (
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/request"
)

// language chooses the language of a response by Accept-Language. On pages, the choice of the user
// takes precedence.
func (s *Server) language(c *gin.Context) {
	lang := s.picker.Pick(c.GetHeader("Accept-Language"))
	if chosen := render.ChosenLang(c); chosen != "" && !forPrograms(c.Request.URL.Path) {
		lang = chosen
	}
	c.Set(request.LangKey, lang)
	if strings.HasPrefix(c.Request.URL.Path, "/static/") {
		return // files have no language
	}
	c.Writer.Header().Add("Vary", "Accept-Language")
	if !forPrograms(c.Request.URL.Path) {
		c.Writer.Header().Add("Vary", "Cookie")
	}
	c.Header("Content-Language", c.GetString(request.LangKey))
}

// newPicker returns a picker for the languages of Rollcall and the further languages of the kinds.
func newPicker(kinds *jobs.Registry) *words.Picker {
	var more []string
	if kinds == nil {
		return words.NewPicker()
	}
	for _, k := range kinds.Kinds() {
		more = append(more, k.Languages()...)
	}
	return words.NewPicker(more...)
}
