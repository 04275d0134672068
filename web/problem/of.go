package problem

import (
	"context"
	"errors"
	"net/http"
	"syscall"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/mappings"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/internal/uploads"
	"github.com/rollcall-dev/rollcall/tasks"
)

// OfCredential returns the problem of an error if the status of the problem is 401. It returns nil for
// other errors.
func OfCredential(err error) *Problem {
	if err == nil {
		return nil
	}
	if p, _ := Of(err); p.Status == http.StatusUnauthorized {
		return p
	}
	return nil
}

// Of returns the problem of an error; ErrInternal for an unknown error. The result `ok` is false if the
// caller must log the error, because the client has not caused it.
func Of(err error) (p *Problem, ok bool) {
	var own *Problem
	var request *ingest.Error
	var file *tabular.Problem
	var size *http.MaxBytesError
	if p := ofToken(err); p != nil {
		return p, p.Status < http.StatusInternalServerError
	}
	if p := ofAccess(err); p != nil {
		return p, true
	}
	if p := ofIdempotency(err); p != nil {
		return p, true
	}
	if p := ofQuota(err); p != nil {
		return p, true
	}
	if p := ofLimits(err); p != nil {
		return p, true
	}
	switch {
	case errors.As(err, &own):
		return own, own.Status < http.StatusInternalServerError
	case errors.As(err, &request):
		return ofRequest(request), true
	case errors.As(err, &file):
		return OfFile(file), true
	case errors.As(err, &size), errors.Is(err, blobs.ErrTooLarge):
		return ErrFileTooLarge, true
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, blobs.ErrFull):
		return ErrStorageFull, false
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, blobs.ErrAway), ledger.Transient(err):
		return ErrUnavailable, false
	case errors.Is(err, tasks.ErrExpired):
		return ErrTaskExpired, true
	case errors.Is(err, notify.ErrTooMany):
		return ErrTooManyWebhooks, true
	case errors.Is(err, schedules.ErrTooMany):
		return ErrTooManySchedules, true
	case errors.Is(err, notify.ErrDisabled):
		return ErrWebhookDisabled, true
	case errors.Is(err, uploads.ErrTooMany):
		return ErrTooManyUploads, true
	case errors.Is(err, uploads.ErrOffset):
		return ErrWrongOffset, true
	case errors.Is(err, uploads.ErrPartTooSmall):
		return ErrPartTooSmall, true
	case errors.Is(err, uploads.ErrIncomplete):
		return ErrUploadIncomplete, true
	case errors.Is(err, uploads.ErrNotFound):
		return ErrUploadGone, true
	case errors.Is(err, mappings.ErrNotFound):
		return ErrNotFound, true
	case errors.Is(err, tasks.ErrNotFound), errors.Is(err, events.ErrNotFound):
		return ErrNotFound, true
	}
	return ErrInternal, false
}

// OfClient returns the problem of an error that the client has caused; nil for other errors.
func OfClient(err error) *Problem {
	if p, foreseen := Of(err); err != nil && foreseen && p.Status < http.StatusInternalServerError {
		return p
	}
	return nil
}
