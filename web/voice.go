package web

import (
	"iter"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// voice is how the rows of a task are told to somebody: in the words of its
// kind, in the language of who asks.
type voice struct {
	kind worker.Kind
	lang string
}

// voice is that of a request. Of a kind that is gone, only Rollcall's own words
// are known.
func (s *Server) voice(c *gin.Context, t *tasks.Task) voice {
	return s.voiceIn(c.GetString(langKey), t)
}

func (s *Server) voiceIn(lang string, t *tasks.Task) voice {
	kind, _ := s.opt.Kinds.Kind(t.Kind)
	return voice{kind, lang}
}

// event is a copy of an event as it is told.
func (v voice) event(e *events.Event) *events.Event {
	told := *e
	v.kind.TellEvent(v.lang, &told)
	return &told
}

// each tells rows as they come.
func (v voice) each(rows iter.Seq2[*events.Event, error]) iter.Seq2[*events.Event, error] {
	return func(yield func(*events.Event, error) bool) {
		for e, err := range rows {
			if err == nil {
				v.kind.TellEvent(v.lang, e)
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// groups are causes as they are told.
func (v voice) groups(list []events.Group) []groupView {
	out := []groupView{}
	for _, g := range list {
		title, ok := v.kind.Title(v.lang, g.Code)
		if !ok {
			title = codeWords(g.Code)
		}
		out = append(out, groupView{
			g.Code, title, optional(g.Col), g.Status, g.Count, g.FirstRow,
			g.Count - g.Fixed - g.Skipped, g.Fixed, g.Skipped,
		})
	}
	return out
}

// fields are faults as they are told.
func (v voice) fields(list []events.Field) []events.Field {
	out := make([]events.Field, len(list))
	for i, f := range list {
		out[i] = v.field(f)
	}
	return out
}

// field is a fault as it is told, without what it was made from.
func (v voice) field(f events.Field) events.Field {
	f = v.kind.Tell(v.lang, f)
	f.Args = ""
	return f
}

// langKey is where a request keeps its language.
const langKey = "lang"

// language chooses the language of an answer by Accept-Language; that of a page
// by what its reader has chosen.
func (s *Server) language(c *gin.Context) {
	lang := s.picker.Pick(c.GetHeader("Accept-Language"))
	if chosen := chosenLang(c); chosen != "" && !forPrograms(c.Request.URL.Path) {
		lang = chosen
	}
	c.Set(langKey, lang)
	if strings.HasPrefix(c.Request.URL.Path, "/static/") {
		return // the same for everybody
	}
	c.Writer.Header().Add("Vary", "Accept-Language")
	if !forPrograms(c.Request.URL.Path) {
		c.Writer.Header().Add("Vary", "Cookie")
	}
	c.Header("Content-Language", c.GetString(langKey))
}

// newPicker chooses among the languages of Rollcall and those of its kinds.
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
