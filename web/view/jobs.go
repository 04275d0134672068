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
	Index  int             `json:"index" doc:"Index of the row in 'rows', from 0."`
	ID     string          `json:"id,omitempty" doc:"Id of the added row."`
	Errors []problem.Fault `json:"errors,omitempty" doc:"Faults of a row that was not added."`
}

// ResumeDryRun holds the number of waiting rows with a key in a paused task, at most 10,000. It also holds
// the number of rows among them that would not run after a resume.
type ResumeDryRun struct {
	DryRun     bool  `json:"dry_run"`
	Waiting    int64 `json:"waiting" doc:"Waiting rows with a key, at most 10,000."`
	Superseded int64 `json:"superseded" doc:"Waiting rows that would not run."`
}
