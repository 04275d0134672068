package view

import (
	"strconv"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/corrections"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// Corrections is the result of a corrected file.
type Corrections struct {
	DryRun       bool             `json:"dry_run"`
	Matched      int              `json:"matched"`
	Changed      int              `json:"changed"`
	Resubmitted  int              `json:"resubmitted"`
	Superseded   int              `json:"superseded" doc:"Rows in 'resubmitted' that end as superseded, because a newer row of their key has finished."`
	StillInvalid int              `json:"still_invalid"`
	Refused      int              `json:"refused"`
	Conflicts    int              `json:"conflicts"`
	Unchanged    int              `json:"unchanged"`
	Message      string           `json:"message"`
	Rows         []CorrectionsRow `json:"rows" doc:"Changed rows that do not run again."`
	Warnings     []string         `json:"warnings"`
	Links        Links            `json:"links" schema:"ref=Links"`
}

// CorrectionsRow is a changed row of a corrected file that does not run again.
type CorrectionsRow struct {
	Row     int     `json:"row" doc:"Row in the corrected file."`
	EventID string  `json:"event_id"`
	Column  *string `json:"column"`
	Code    string  `json:"code"`
	Detail  string  `json:"detail"`
}

// Corrections returns the view of the report about a corrected file. The argument `dry` reports whether the
// request was a dry run, which changes nothing.
func (v Localizer) Corrections(t *tasks.Task, r corrections.Report, dry bool) Corrections {
	out := Corrections{
		DryRun: dry, Matched: r.Matched, Changed: r.Changed, Resubmitted: r.Resubmitted,
		Superseded: r.Superseded, StillInvalid: r.StillInvalid, Refused: r.Refused, Conflicts: r.Conflicts, Unchanged: r.Unchanged,
		Rows: []CorrectionsRow{}, Warnings: append([]string{}, r.Warnings...), Links: TaskLinks(t.ID),
		Message: v.summary(r, dry),
	}
	for _, f := range r.Findings {
		out.Rows = append(out.Rows, CorrectionsRow{
			f.Row, events.NewID(t.Num, f.Seq).JobID(t.ID), textutil.Optional(f.Column), f.Code, v.finding(f),
		})
	}
	return out
}

// finding returns a text that explains why a row of a corrected file does not run again.
func (v Localizer) finding(f corrections.Finding) string {
	if f.Args == "" {
		return problem.DetailIn(v.Lang, f.Code, f.Detail, f.Row, nil)
	}
	return v.Field(events.Field{Column: f.Column, Code: f.Code, Message: f.Detail, Args: f.Args}).Message
}

func (v Localizer) summary(r corrections.Report, dry bool) string {
	key := "corrections.done"
	switch {
	case r.Changed == 0:
		key = "corrections.none"
	case dry:
		key = "corrections.dry"
	}
	text, _ := words.Say(v.Lang, key, map[string]string{ // the map has all values of the text
		"changed": strconv.Itoa(r.Changed), "matched": strconv.Itoa(r.Matched), "n": strconv.Itoa(r.Resubmitted),
	})
	return text
}
