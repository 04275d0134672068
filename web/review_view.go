package web

import (
	"encoding/json"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/review"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// outcomeView is what an act on many rows did or, as a dry run, would do.
type outcomeView struct {
	Act          review.Act        `json:"act" schema:"enum=repair|skip|open|resubmit|undo"`
	DryRun       bool              `json:"dry_run"`
	ActID        *string           `json:"act_id" doc:"Names the act for '/undo'. Null: it changed nothing that can be undone."`
	Matched      int64             `json:"matched"`
	Changed      int64             `json:"changed"`
	Valid        int64             `json:"valid"`
	StillInvalid int64             `json:"still_invalid"`
	Done         int64             `json:"done"`
	Resubmitted  int64             `json:"resubmitted"`
	Superseded   int64             `json:"superseded" doc:"Rows that do not run; a dry run counts them too. If a newer row of their key has finished, they are resubmitted and end as superseded. If another row of their key counts under 'duplicates' of 'latest' or 'first', they stay superseded."`
	Conflicts    int64             `json:"conflicts" doc:"Rows that somebody else changed meanwhile."`
	Sample       []sampleView      `json:"sample" schema:"maxItems=10"`
	Links        map[string]string `json:"links" schema:"ref=Links"`
}

// sampleView is one of the rows: what changes, and what is wrong then.
type sampleView struct {
	EventID string             `json:"event_id"`
	Row     int                `json:"row"`
	Before  map[string]*string `json:"before"`
	After   map[string]*string `json:"after"`
	Fields  []fieldView        `json:"fields"`
}

func (s *Server) viewOutcome(c *gin.Context, t *tasks.Task, p review.Press, o review.Outcome) outcomeView {
	v := s.voice(c, t)
	out := outcomeView{
		p.Act, p.DryRun, optional(o.ActID), o.Matched, o.Changed, o.Valid, o.StillInvalid, o.Done, o.Resubmitted, o.Superseded, o.Moved,
		[]sampleView{},
		links(t.ID),
	}
	for _, one := range o.Sample {
		view := sampleView{
			EventID: one.Event.ID.JobID(t.ID), Row: one.Event.Row,
			Before: showCells(v.kind, one.Before), After: showCells(v.kind, one.After),
			Fields: []fieldView{},
		}
		for _, f := range v.fields(fieldsIn(one.Fault)) {
			view.Fields = append(view.Fields, fieldView{f.Column, f.Value, f.Code, f.Message, f.Hint})
		}
		out.Sample = append(out.Sample, view)
	}
	return out
}

// fieldsIn are the columns at fault.
func fieldsIn(f *events.Failure) []events.Field {
	if f == nil {
		return nil
	}
	if len(f.Fields) > 0 {
		return f.Fields
	}
	return []events.Field{{
		Column: f.Column, Value: f.Value, Code: f.Code, Message: f.Message, Hint: f.Hint, Args: f.Args,
	}}
}

// showCells are cells as they may be shown to anybody.
func showCells(kind worker.Kind, cells map[string]*string) map[string]*string {
	out := map[string]*string{}
	for name, text := range cells {
		out[name] = text
		if text == nil {
			continue
		}
		raw, err := json.Marshal(map[string]string{name: *text})
		var shown map[string]string
		if err == nil && json.Unmarshal(kind.Show(raw), &shown) == nil {
			told := shown[name]
			out[name] = &told
		}
	}
	return out
}

// resolutionView is what a person has made of a row.
type resolutionView struct {
	State events.Resolution `json:"state"`
	By    *string           `json:"by"`
	At    *string           `json:"at" schema:"time"`
	Note  *string           `json:"note"`
}

// viewResolution is nil for a row that never needed a person.
func viewResolution(e *events.Event) *resolutionView {
	if e.State() == "" {
		return nil
	}
	return &resolutionView{e.State(), e.ResolvedBy, reached(e.ResolvedAt), e.ResolutionNote}
}
