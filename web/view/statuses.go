package view

import (
	"github.com/rollcall-dev/rollcall/tasks"
)

// TaskStatuses are the statuses by which lists of tasks can be filtered.
var TaskStatuses = []tasks.Status{
	tasks.Open, tasks.Splitting, tasks.Running, tasks.Paused, tasks.Canceling, tasks.Finished,
	tasks.FinishedWithFailures, tasks.Failed, tasks.Canceled,
}
