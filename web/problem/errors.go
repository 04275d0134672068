package problem

import (
	"fmt"
	"net/http"

	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/uploads"
)

// These are the problems that several handlers return.
var (
	ErrNoPath   = New(http.StatusNotFound, "NOT_FOUND", "No page or resource has this address.")
	ErrNoMethod = New(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED",
		"This address does not support this method.")
	ErrNotFound = New(http.StatusNotFound, "NOT_FOUND",
		"Not found, or not visible to you.")
	ErrTaskExpired = New(http.StatusGone, "TASK_EXPIRED",
		"The retention time of this task has passed. Its rows are deleted.")
	ErrFileExpired = New(http.StatusGone, "FILE_EXPIRED",
		"The retention time of this file has passed. The rows of its task can still be listed and downloaded.")
	ErrNoRange = New(http.StatusRequestedRangeNotSatisfiable, "RANGE_NOT_SATISFIABLE",
		"The requested range lies outside the file. Content-Range gives the length of the file.")
	ErrInternal = New(http.StatusInternalServerError, "INTERNAL",
		"The service failed. The error is logged under the request ID.")
	ErrUnavailable = Temporary("UNAVAILABLE",
		"The service is temporarily unavailable. Try again in a few seconds.")
	ErrQueueUnavailable = Temporary("QUEUE_UNAVAILABLE",
		"The queues cannot be read now. Imports are still accepted; try again in a few seconds.")
	ErrNotReady = Temporary("NOT_READY", "The service is not ready. Try again soon.")
	ErrTooSlow  = New(http.StatusRequestTimeout, "UPLOAD_TOO_SLOW",
		"The upload stalled or was too slow, and was ended. Try again.")
	ErrStorageFull = New(http.StatusInsufficientStorage, "STORAGE_FULL",
		"The storage of the service is full. The file was not stored; try again later.")
	ErrTooManyWebhooks = New(http.StatusConflict, "TOO_MANY_WEBHOOKS",
		fmt.Sprintf("A tenant has at most %d webhooks. Delete one first.", notify.MaxWebhooks))
	ErrWebhookDisabled = New(http.StatusConflict, "WEBHOOK_DISABLED",
		"The webhook is disabled: its address answered 410 Gone, or its creator was revoked. Create a new one.")
	ErrFileTooLarge     = New(http.StatusRequestEntityTooLarge, "FILE_TOO_LARGE", "The file is too large.")
	ErrTooManySchedules = New(http.StatusConflict, "TOO_MANY_SCHEDULES",
		"The tenant has its maximum number of schedules. Delete one, or ask the owner of the service to raise the limit.")
	ErrTooManyUploads = New(http.StatusConflict, "TOO_MANY_UPLOADS",
		"Too many uploads wait for their task. Finish or delete one first.")
	ErrWrongOffset = New(http.StatusConflict, "WRONG_OFFSET",
		"The bytes do not begin where the upload ends. Read Upload-Offset of the upload and continue there.")
	ErrPartTooSmall = New(http.StatusBadRequest, "PART_TOO_SMALL",
		fmt.Sprintf("A part has at least %d bytes, unless it ends the file. Send larger parts.", uploads.MinPart))
	ErrUploadIncomplete = New(http.StatusConflict, "UPLOAD_INCOMPLETE",
		"Bytes of the upload are missing. Send them, then try again.")
	ErrUploadGone = New(http.StatusNotFound, "UPLOAD_NOT_FOUND",
		"There is no such upload, or it was deleted because too much time has passed. Upload the file again.")
	ErrPausedByOwner = New(http.StatusConflict, "PAUSED_BY_OWNER",
		"The owner of the service has paused the tenant. Only the owner can resume it.")
)
