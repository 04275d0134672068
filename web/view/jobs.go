package view

import (
	"github.com/rollcall-dev/rollcall/web/problem"
)

// Jobs is the result of adding rows to an open task.
type Jobs struct {
	Items    []Job `json:"items"`
	Accepted int   `json:"accepted"`
	Rejected int   `json:"rejected"`
	Links    Links `json:"links" schema:"ref=Links"`
}

// Job is the result of adding one row.
type Job struct {
	Index  int             `json:"index" doc:"In 'rows', from 0."`
	ID     string          `json:"id,omitempty" doc:"Of the row that was added."`
	Errors []problem.Fault `json:"errors,omitempty" doc:"Why it was not."`
}

// ResumeDryRun is the effect that resuming a paused task would have on its rows.
type ResumeDryRun struct {
	DryRun     bool  `json:"dry_run"`
	Waiting    int64 `json:"waiting" doc:"Waiting rows with a key, at most 10,000."`
	Superseded int64 `json:"superseded" doc:"Of them, rows that would not run."`
}
