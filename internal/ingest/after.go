package ingest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rollcall-dev/rollcall/tasks"
)

// These are the values of the option after_outcome.
const (
	afterAny     = "any"     // the tasks have ended
	afterSuccess = "success" // the tasks have ended with success
)

// checkAfter returns an error if one of the options after and after_outcome is invalid.
func (o *Options) checkAfter() error {
	switch {
	case len(o.After) > tasks.MaxAfter || slices.Contains(o.After, ""):
		return badOption("after", fmt.Sprintf("after is a list of up to %d ids of tasks.", tasks.MaxAfter))
	case !slices.Contains([]string{"", afterAny, afterSuccess}, o.AfterOutcome):
		return badOption("after_outcome", "after_outcome is any or success.")
	case o.AfterOutcome != "" && len(o.After) == 0:
		return badOption("after_outcome", "after_outcome is for tasks that after names.")
	}
	return nil
}

// tieError converts an error about the parent or the awaited tasks of a new task to an error for
// the caller. It returns nil for other errors.
func tieError(err error) error {
	switch {
	case errors.Is(err, tasks.ErrParent):
		return errParent
	case errors.Is(err, tasks.ErrAfterUnknown):
		return &Error{"AFTER_NOT_FOUND", "The tasks to start after must be tasks of yours.", "/options/after"}
	case errors.Is(err, tasks.ErrAfterEnded):
		return &Error{
			"AFTER_CANCELED", "A task to start after was canceled or deleted, or could not be read, so the new one would never start.",
			"/options/after",
		}
	case errors.Is(err, tasks.ErrAfterCycle):
		return &Error{"AFTER_CYCLE", "A task to start after waits for the new one, so neither would start.", "/options/after"}
	}
	return nil
}
