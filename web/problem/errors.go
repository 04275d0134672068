package problem

import (
	"fmt"
	"net/http"

	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Problems that several handlers answer with.
var (
	ErrNoPath   = New(http.StatusNotFound, "NOT_FOUND", "There is nothing at this address.")
	ErrNoMethod = New(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED",
		"This address does not answer that method.")
	ErrNotFound = New(http.StatusNotFound, "NOT_FOUND",
		"There is no such thing, or it is not yours.")
	ErrTaskExpired = New(http.StatusGone, "TASK_EXPIRED",
		"The time for which this task was kept is over. Its rows are gone for good.")
	ErrFileExpired = New(http.StatusGone, "FILE_EXPIRED",
		"The time for which this file was kept is over. The rows of its task can still be listed and downloaded.")
	ErrNoRange = New(http.StatusRequestedRangeNotSatisfiable, "RANGE_NOT_SATISFIABLE",
		"The file has no such range. Content-Range tells how long it is.")
	ErrInternal = New(http.StatusInternalServerError, "INTERNAL",
		"Something broke on our side. It has been logged under the request id.")
	ErrUnavailable = Temporary("UNAVAILABLE",
		"The service cannot do this now. It has been logged; try again in a few seconds.")
	ErrQueueUnavailable = Temporary("QUEUE_UNAVAILABLE",
		"The queues cannot be looked at now. Imports are still accepted; try again in a few seconds.")
	ErrNotReady = Temporary("NOT_READY", "The service cannot work now. Try again soon.")
	ErrTooSlow  = New(http.StatusRequestTimeout, "UPLOAD_TOO_SLOW",
		"The upload stood still or came too slowly, and was broken off. Try again.")
	ErrStorageFull = New(http.StatusInsufficientStorage, "STORAGE_FULL",
		"There is no room for the file on our side. Nothing was kept of it; try again later.")
	ErrTooManyWebhooks = New(http.StatusConflict, "TOO_MANY_WEBHOOKS",
		fmt.Sprintf("There can be at most %d webhooks. Delete one first.", notify.MaxWebhooks))
	ErrWebhookDisabled = New(http.StatusConflict, "WEBHOOK_DISABLED",
		"The webhook has answered that it is gone (410). Register a new one.")
	ErrFileTooLarge     = New(http.StatusRequestEntityTooLarge, "FILE_TOO_LARGE", "The file is too large.")
	ErrTooManySchedules = New(http.StatusConflict, "TOO_MANY_SCHEDULES",
		fmt.Sprintf("There can be at most %d schedules. Delete one first.", tasks.MaxSchedules))
	ErrPausedByOwner = New(http.StatusConflict, "PAUSED_BY_OWNER",
		"The owner of the service has paused the tenant. Only the owner resumes it.")
)
