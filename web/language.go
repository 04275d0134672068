package web

import (
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/view"
	"github.com/rollcall-dev/rollcall/worker"
)

// localizer renders rows of a task for the caller. Rows of a kind that is gone are rendered
// in Rollcall's own words.
func (s *Server) localizer(c *gin.Context, t *tasks.Task) view.Localizer {
	kind, _ := s.opt.Kinds.Kind(t.Kind)
	v := view.Localizer{Kind: kind, Lang: c.GetString(langKey), Operator: caller(c).May(access.OpsRead)}
	v.Runner = func(by *int32) events.Runner {
		r, err := s.opt.Events.Runner(c.Request.Context(), by)
		if err != nil {
			s.opt.Log.WarnContext(c.Request.Context(), "a row is shown without the process that ran it", "err", err)
		}
		return r
	}
	return v
}

// langKey is where a request keeps its language.
const langKey = "lang"

// language chooses the language of an answer by Accept-Language, and the language of a page
// by the user's choice if there is one.
func (s *Server) language(c *gin.Context) {
	lang := s.picker.Pick(c.GetHeader("Accept-Language"))
	if chosen := chosenLang(c); chosen != "" && !forPrograms(c.Request.URL.Path) {
		lang = chosen
	}
	c.Set(langKey, lang)
	if strings.HasPrefix(c.Request.URL.Path, "/static/") {
		return // files have no language
	}
	c.Writer.Header().Add("Vary", "Accept-Language")
	if !forPrograms(c.Request.URL.Path) {
		c.Writer.Header().Add("Vary", "Cookie")
	}
	c.Header("Content-Language", c.GetString(langKey))
}

// newPicker returns a picker of the languages of Rollcall and of the kinds.
func newPicker(kinds *worker.Registry) *words.Picker {
	var more []string
	if kinds == nil {
		return words.NewPicker()
	}
	for _, k := range kinds.Kinds() {
		more = append(more, k.Languages()...)
	}
	return words.NewPicker(more...)
}
