package ingest

import (
	"context"

	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Request is a request to create a task.
type Request struct {
	Kind     jobs.Kind
	Name     string // of the task
	FileName string // file name given by the user
	Options  Options
	Tenant   string // of the task
	Actor    string // the caller

	// Attempt is the attempt of a request that may be repeated, as with an Idempotency-Key. Nil
	// means that the request is never repeated.
	Attempt Attempt

	TaskID string         // of the new task; "": a new id
	Run    *schedules.Run // run of the schedule that creates the task; nil if a caller creates it
	Lines  bool           // the file has one JSON object per line
	Export bool           // the task makes a file

	DryRun  bool        // the request is only validated, and nothing is stored
	Scratch *blobs.File // the content of a dry run, which has no File

	File   blobs.Info
	Upload string // id of the upload that has the file; without a task, the upload keeps the file

	rows  []byte // the content, instead of a file
	doubt bool   // it is unknown whether a task has the file, so Drop keeps it for the sweep
}

// Attempt is one attempt of a request that may be repeated.
type Attempt interface {
	NewID() string              // the id of the task, the same for each attempt
	Again() bool                // an earlier attempt may have created the task
	Seal(context.Context) error // stores the fingerprint of the request before its effect
}

// first is the attempt of a request that is never repeated.
type first struct{}

func (first) NewID() string              { return tasks.NewID() }
func (first) Again() bool                { return false }
func (first) Seal(context.Context) error { return nil }

func (r *Request) attempt() Attempt {
	if r.Attempt == nil {
		return first{}
	}
	return r.Attempt
}

// HasFile reports whether the file of a request was stored.
func (r *Request) HasFile() bool { return r.File.ID != "" || r.Scratch != nil }
