package web

import (
	"context"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/internal/review"
	"github.com/rollcall-dev/rollcall/web/view"
)

// operator returns the desk at which operators' acts come in.
func (s *Server) operator() *operate.Desk {
	return operate.New(s.opt.Tasks, s.opt.Events, s.opt.Queue, s.opt.Kinds, operate.Options{Now: s.opt.Now})
}

// operateProblem is what an operator's act was refused for.
func operateProblem(err error) error {
	switch {
	case errors.Is(err, operate.ErrQueue):
		return queueFault(err)
	case errors.Is(err, review.ErrKind):
		return errNoKind
	}
	return err
}

// requeueKeys is Requeue as an act of a page, which shows the keys alone.
func requeueKeys(d *operate.Desk, ctx context.Context, o operate.Order) (operate.Result, error) {
	out, err := d.Requeue(ctx, o)
	return out.Result, err
}

// requeueRequest is the body of POST /queues/{q}/morgue/requeue.
type requeueRequest struct {
	keysRequest
	Superseded string `json:"superseded"` // "run", or empty: superseded rows do not run
}

// requeue serves POST /queues/{q}/morgue/requeue.
func (s *Server) requeue(c *gin.Context) error {
	in := taken[requeueRequest](c)
	if err := errors.Join(in.check(), checkSuperseded(in.Superseded)); err != nil {
		return err
	}
	var rows operate.Requeued
	o := s.order(c, &in.keysRequest)
	o.Anyway = in.Superseded == runSuperseded
	out, err := s.actOn(c, "requeue", o, func(d *operate.Desk, ctx context.Context, o operate.Order) (operate.Result, error) {
		var err error
		rows, err = d.Requeue(ctx, o)
		return rows.Result, err
	})
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, view.RequeueResult{
		KeysResult: viewTouched(&in.keysRequest, out), Resubmitted: rows.Rows, Superseded: rows.Superseded, StillInvalid: rows.StillInvalid, Conflicts: rows.Moved,
	})
	return nil
}
