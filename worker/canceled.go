package worker

import "errors"

// ErrCanceled is the cause of a handler's cancelled context when a person has
// canceled the job's task. A handler that returns an error then ends its job
// as canceled, whatever the error, unless it is a business failure; one that
// does its work to the end is recorded as it ended.
var ErrCanceled = errors.New("the task was canceled")
