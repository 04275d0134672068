package web

import (
	"iter"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/access"
	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// voice is how the rows of a task are told to somebody: in the words of its
// kind, in the language of who asks.
type voice struct {
	kind     worker.Kind
	lang     string
	operator bool                          // the caller may read texts of system faults
	runner   func(by *int32) events.Runner // the process that ran a row
}

// voice is that of a request. Of a kind that is gone, only Rollcall's own words
// are known.
func (s *Server) voice(c *gin.Context, t *tasks.Task) voice {
	v := s.voiceIn(c.GetString(langKey), t)
	v.operator = caller(c).May(access.OpsRead)
	v.runner = func(by *int32) events.Runner {
		r, err := s.opt.Events.Runner(c.Request.Context(), by)
		if err != nil {
			s.opt.Log.WarnContext(c.Request.Context(), "a row is shown without the process that ran it", "err", err)
		}
		return r
	}
	return v
}

func (s *Server) voiceIn(lang string, t *tasks.Task) voice {
	kind, _ := s.opt.Kinds.Kind(t.Kind)
	return voice{kind: kind, lang: lang}
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
	for _, g := range v.faultGroups(list) {
		title, ok := v.kind.Title(v.lang, g.Code)
		if !ok {
			title = codeWords(g.Code)
		}
		out = append(out, groupView{
			g.Code, title, optional(g.Col), g.Status, g.Count, g.FirstRow,
			g.Count - g.Fixed - g.Skipped, g.Fixed, g.Skipped, optional(g.Print), optional(g.Fault),
		})
	}
	return out
}

// faultGroups are groups as the caller may see them: only operators see system faults
// apart by what they are.
func (v voice) faultGroups(list []events.Group) (out []events.Group) {
	if v.operator {
		return list
	}
	at := map[[3]string]int{}
	for _, g := range list {
		key := [3]string{string(g.Status), g.Code, g.Col}
		i, seen := at[key]
		if !seen {
			at[key] = len(out)
			g.Print, g.Fault = "", ""
			out = append(out, g)
			continue
		}
		same := &out[i]
		same.Count, same.Fixed, same.Skipped = same.Count+g.Count, same.Fixed+g.Fixed, same.Skipped+g.Skipped
		same.FirstRow = min(same.FirstRow, g.FirstRow)
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
