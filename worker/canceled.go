package worker

import "errors"

// ErrCanceled is the cause of a handler's canceled context when a user has canceled the job's task.
// If the handler then returns an error, its job ends as canceled, except for a business failure. If
// the handler completes its work, the outcome is recorded as usual.
var ErrCanceled = errors.New("the task was canceled")
