package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/schedules"
	"github.com/rollcall-dev/rollcall/tasks"
)

// problem is a fault of a request, as RFC 9457 tells it. It implements error.
type problem struct {
	Type      string `json:"type"`
	Title     string `json:"title"`
	Status    int    `json:"status"`
	Detail    string `json:"detail" doc:"For people."`
	Instance  string `json:"instance" doc:"The address that was asked for."`
	Code      string `json:"code" doc:"Stable: see the codes of this document." schema:"pattern=^[A-Z][A-Z0-9_]*$"`
	RequestID string `json:"request_id"`

	Choices []string `json:"choices,omitempty" doc:"Values of an option that would help."`
	Version int      `json:"version,omitempty" doc:"Of a row that has changed: the one it has."`
	Errors  []fault  `json:"errors,omitempty"`

	// Suggested is a mapping, heading to field, that may mend it.
	Suggested map[string]string `json:"suggested_mapping,omitempty" doc:"For 'options.mapping': heading to column."`

	row   int               // of the file; 0 if none
	args  map[string]string // for its words in other languages
	after int               // seconds until it may go well; 0 if it never will by itself
}

// fault is one place of a problem.
type fault struct {
	Pointer string `json:"pointer,omitempty" doc:"In the request: a JSON pointer, or '?name' of a parameter."`
	Column  string `json:"column,omitempty"`
	Row     int    `json:"row,omitempty"`
	Code    string `json:"code"`
	Detail  string `json:"detail"`

	name, near string // of a missing column, and the heading most like it
}

func (p *problem) Error() string { return p.Code + ": " + p.Detail }

// refuse makes a problem of a request.
func refuse(status int, code, detail string) *problem {
	return &problem{Status: status, Code: code, Detail: detail}
}

// later makes a problem of ours that passes.
func later(code, detail string) *problem {
	return &problem{Status: http.StatusServiceUnavailable, Code: code, Detail: detail, after: 5}
}

// field says which field of the request is at fault.
func (p *problem) field(pointer string) *problem {
	p.Errors = append(p.Errors, fault{Pointer: pointer, Code: p.Code, Detail: p.Detail})
	return p
}

var (
	errNoPath   = refuse(http.StatusNotFound, "NOT_FOUND", "There is nothing at this address.")
	errNoMethod = refuse(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED",
		"This address does not answer that method.")
	errNotFound = refuse(http.StatusNotFound, "NOT_FOUND",
		"There is no such thing, or it is not yours.")
	errExpired = refuse(http.StatusGone, "TASK_EXPIRED",
		"The time for which this task was kept is over. Its rows are gone for good.")
	errFileExpired = refuse(http.StatusGone, "FILE_EXPIRED",
		"The time for which this file was kept is over. The rows of its task can still be listed and downloaded.")
	errNoRange = refuse(http.StatusRequestedRangeNotSatisfiable, "RANGE_NOT_SATISFIABLE",
		"The file has no such range. Content-Range tells how long it is.")
	errInternal = refuse(http.StatusInternalServerError, "INTERNAL",
		"Something broke on our side. It has been logged under the request id.")
	errAway = later("UNAVAILABLE",
		"The service cannot do this now. It has been logged; try again in a few seconds.")
	errQueueAway = later("QUEUE_UNAVAILABLE",
		"The queues cannot be looked at now. Imports are still accepted; try again in a few seconds.")
	errNotReady = later("NOT_READY", "The service cannot work now. Try again soon.")
	errSlow     = refuse(http.StatusRequestTimeout, "UPLOAD_TOO_SLOW",
		"The upload stood still or came too slowly, and was broken off. Try again.")
	errFull = refuse(http.StatusInsufficientStorage, "STORAGE_FULL",
		"There is no room for the file on our side. Nothing was kept of it; try again later.")
	errWebhooks = refuse(http.StatusConflict, "TOO_MANY_WEBHOOKS",
		fmt.Sprintf("There can be at most %d webhooks. Delete one first.", notify.MaxWebhooks))
	errDisabled = refuse(http.StatusConflict, "WEBHOOK_DISABLED",
		"The webhook has answered that it is gone (410). Register a new one.")
	errTooLarge = refuse(http.StatusRequestEntityTooLarge, "FILE_TOO_LARGE", "The file is too large.")
)

// statusOf is the status of each fault of a file; all others are 422.
var statusOf = map[string]int{
	importers.CodeOldExcelFormat:    http.StatusUnsupportedMediaType,
	importers.CodeUnsupportedFormat: http.StatusUnsupportedMediaType,
	importers.CodeZipBomb:           http.StatusRequestEntityTooLarge,
	importers.CodeNestedArchive:     http.StatusRequestEntityTooLarge,
	importers.CodeTooManyRows:       http.StatusRequestEntityTooLarge,
	importers.CodeTooManyColumns:    http.StatusRequestEntityTooLarge,
}

// problemOf is the one table from errors to answers. ok is false for a fault of
// ours, which has to be logged.
func problemOf(err error) (p *problem, ok bool) {
	var own *problem
	var file *importers.Problem
	var size *http.MaxBytesError
	if p := tokenProblem(err); p != nil {
		return p, p.Status < http.StatusInternalServerError
	}
	if p := accessProblem(err); p != nil {
		return p, true
	}
	if p := attemptProblem(err); p != nil {
		return p, true
	}
	if p := quotaProblem(err); p != nil {
		return p, true
	}
	if p := limitProblem(err); p != nil {
		return p, true
	}
	switch {
	case errors.As(err, &own):
		return own, own.Status < http.StatusInternalServerError
	case errors.As(err, &file):
		return fileProblem(file), true
	case errors.As(err, &size), errors.Is(err, blobs.ErrTooLarge):
		return errTooLarge, true
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, blobs.ErrFull):
		return errFull, false
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, blobs.ErrAway), ledger.Transient(err):
		return errAway, false
	case errors.Is(err, tasks.ErrExpired):
		return errExpired, true
	case errors.Is(err, notify.ErrTooMany):
		return errWebhooks, true
	case errors.Is(err, schedules.ErrTooMany):
		return errSchedules, true
	case errors.Is(err, notify.ErrDisabled):
		return errDisabled, true
	case errors.Is(err, tasks.ErrNotFound), errors.Is(err, events.ErrNotFound):
		return errNotFound, true
	}
	return errInternal, false
}

func fileProblem(f *importers.Problem) *problem {
	status := http.StatusUnprocessableEntity
	if s, ok := statusOf[f.Code]; ok {
		status = s
	}
	p := refuse(status, f.Code, f.Detail)
	p.Choices = f.Choices
	for _, e := range f.Errors {
		p.Errors = append(p.Errors, fault{
			Column: e.Column, Row: e.Row, Code: e.Code, Detail: e.Detail, name: e.Name, near: e.Near,
		})
	}
	p.row, p.Suggested = f.Row, f.Mapping
	if len(f.Names) > 0 {
		p.args = map[string]string{"list": strings.Join(f.Names, ", ")}
	}
	return p
}

// handle turns a handler into one of Gin's. Its errors become problems in JSON.
func (s *Server) handle(h handler) gin.HandlerFunc { return s.answering(h, answer) }

// answering turns a handler that returns an error into one of Gin's, which renders
// the problem of the error.
func (s *Server) answering(h handler, render func(*gin.Context, *problem)) gin.HandlerFunc {
	return func(c *gin.Context) {
		err := h(c)
		if err == nil && len(c.Errors) > 0 {
			err = c.Errors.Last() // the answer could not be written
		}
		if err != nil {
			render(c, s.classify(c, err))
		}
	}
}

// classify returns the problem of an error. Only classify logs errors of requests, and
// only errors that the client did not cause.
func (s *Server) classify(c *gin.Context, err error) *problem {
	p, foreseen := problemOf(err)
	noteProblem(c, p, err)
	if ctx := c.Request.Context(); !foreseen && ctx.Err() == nil {
		s.opt.Log.ErrorContext(ctx, "request failed", "method", c.Request.Method,
			"path", c.FullPath(), "request", c.GetString(requestKey), "err", err)
	}
	return p
}

// refusal returns the problem of an error that the client caused; nil for any
// other error, and for none.
func refusal(err error) *problem {
	if p, foreseen := problemOf(err); err != nil && foreseen && p.Status < http.StatusInternalServerError {
		return p
	}
	return nil
}

// answer writes a problem. An answer that has begun already is broken off, so
// that nobody takes what came for the whole.
func answer(c *gin.Context, p *problem) {
	if c.Writer.Written() {
		panic(http.ErrAbortHandler)
	}
	out := p.in(c.GetString(langKey))
	out.Title = http.StatusText(p.Status)
	out.Type = "/problems/" + strings.ReplaceAll(strings.ToLower(p.Code), "_", "-")
	out.Instance = c.Request.URL.Path
	out.RequestID = c.GetString(requestKey)
	c.Writer.Header().Del("Content-Disposition")
	c.Writer.Header().Del("ETag")
	c.Writer.Header().Del("Repr-Digest")
	c.Header("Content-Type", "application/problem+json")
	c.Header("Cache-Control", "no-store")
	if p.after > 0 {
		c.Header("Retry-After", strconv.Itoa(p.after))
	}
	c.AbortWithStatusJSON(p.Status, out)
}

// recover turns a panic into an answer and a log line.
func (s *Server) recover(c *gin.Context) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if p == http.ErrAbortHandler {
			panic(p)
		}
		s.opt.Log.ErrorContext(c.Request.Context(), "request panicked", "path", c.FullPath(),
			slog.Any("err", p), "stack", string(debug.Stack()))
		answer(c, errInternal)
	}()
	c.Next()
}
