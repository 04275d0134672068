package web

import (
	"context"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/operate"
	"github.com/rollcall-dev/rollcall/review"
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
func requeueKeys(d *operate.Desk, ctx context.Context, o operate.Order) (int, error) {
	out, err := d.Requeue(ctx, o)
	return out.Keys, err
}

// orderOf is an act on keys of the caller's tenant; nil is all of them.
func (s *Server) orderOf(c *gin.Context, keys []string) operate.Order {
	return operate.Order{Tenant: s.tenant(c), By: s.actor(c), Queue: c.Param("queue"), Keys: keys}
}

// requeueRequest is the body of POST /queues/{q}/morgue/requeue.
type requeueRequest struct {
	IDs    []string `json:"ids"`
	All    bool     `json:"all"`
	DryRun bool     `json:"dry_run"`

	Superseded string `json:"superseded"` // "run", or empty: superseded rows do not run
}

// requeue serves POST /queues/{q}/morgue/requeue.
func (s *Server) requeue(c *gin.Context) error {
	in := taken[requeueRequest](c)
	keys := keysRequest{in.IDs, in.All}
	if err := errors.Join(keys.check(), checkSuperseded(in.Superseded)); err != nil {
		return err
	}
	anyway := in.Superseded == runSuperseded
	var out operate.Requeued
	var err error
	if in.DryRun {
		out, err = s.dryRequeue(c, in.IDs, anyway)
	} else {
		_, err = s.actOn(c, "requeue", in.IDs, func(d *operate.Desk, ctx context.Context, o operate.Order) (int, error) {
			var err error
			o.Anyway = anyway
			out, err = d.Requeue(ctx, o)
			return out.Keys, err
		})
	}
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, gin.H{
		"touched": out.Keys, "dry_run": in.DryRun, "resubmitted": out.Rows,
		"superseded": out.Superseded, "still_invalid": out.StillInvalid, "conflicts": out.Moved,
	})
	return nil
}

// dryRequeue counts what a requeue would do. It is not on record, for it does nothing.
func (s *Server) dryRequeue(c *gin.Context, keys []string, anyway bool) (operate.Requeued, error) {
	if _, err := s.queueStats(c.Request.Context(), c.Param("queue")); err != nil {
		return operate.Requeued{}, err
	}
	o := s.orderOf(c, keys)
	o.DryRun, o.Anyway = true, anyway
	out, err := s.operator().Requeue(c.Request.Context(), o)
	return out, operateProblem(err)
}
