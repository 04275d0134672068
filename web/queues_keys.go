package web

import (
	"context"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/dispatch"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// keysRequest is the body of an act on keys of a queue: those that it names, or
// all that the act can be done to.
type keysRequest struct {
	IDs    []string `json:"ids"`
	All    bool     `json:"all"`
	DryRun bool     `json:"dry_run"`
}

// maxActKeys is the most keys that a request may name.
const maxActKeys = 1000

// check refuses a request that does not say which keys it means.
func (in *keysRequest) check() error {
	switch {
	case in.All && in.IDs != nil:
		return problem.BadField("ids", `Send either ids or "all": true, not both.`)
	case !in.All && in.IDs == nil:
		return problem.BadField("ids", `The request selects no keys: list them in ids, or send "all": true for all of them.`)
	case !in.All && (len(in.IDs) == 0 || len(in.IDs) > maxActKeys):
		return problem.BadField("ids", fmt.Sprintf("ids must have 1 to %d entries.", maxActKeys))
	}
	return nil
}

// order is what a request asks for, of the caller's tenant.
func (s *Server) order(c *gin.Context, in *keysRequest) operate.Order {
	return operate.Order{
		Tenant: s.tenant(c), By: s.actor(c), Queue: c.Param("queue"), Keys: in.IDs, All: in.All, DryRun: in.DryRun,
	}
}

// act is one of package operate.
type act func(*operate.Desk, context.Context, operate.Order) (operate.Result, error)

// actOnKeys serves POST /queues/{q}/perform-all-now, /kill-failed, /delete-failed
// and /morgue/delete.
func (s *Server) actOnKeys(verb string, do act) handler {
	return func(c *gin.Context) error {
		in := taken[keysRequest](c)
		if err := in.check(); err != nil {
			return err
		}
		out, err := s.actOn(c, verb, s.order(c, in), do)
		if err != nil {
			return err
		}
		c.JSON(http.StatusOK, viewTouched(in, out))
		return nil
	}
}

// viewTouched tells what an act on keys has done, or would do.
func viewTouched(in *keysRequest, out operate.Result) view.KeysResult {
	return view.KeysResult{Touched: out.Touched, DryRun: in.DryRun, NotFound: append([]string{}, out.Missing...)}
}

// actOn does what an order asks for. A dry run is not on record, for it does
// nothing.
func (s *Server) actOn(c *gin.Context, verb string, o operate.Order, do act) (out operate.Result, err error) {
	ctx := c.Request.Context()
	if _, err := s.queueStats(ctx, o.Queue); err != nil {
		return out, err
	}
	if o.DryRun {
		out, err = do(s.operator(), ctx, o)
		return out, operateProblem(err)
	}
	_, err = s.deed(c, verb, o.Queue, named(o), func(ctx context.Context) (int, error) {
		out, err = do(s.operator(), ctx, o)
		if out.Touched > 0 {
			s.ringFor(ctx, dispatch.Topic)
		}
		return out.Touched, operateProblem(err)
	})
	return out, err
}

// toldKeys is how many keys the audit names.
const toldKeys = 50

// named is what the audit says of the keys that were named; nil if all were meant.
func named(o operate.Order) any {
	if o.All {
		return nil
	}
	return gin.H{"ids": o.Keys[:min(len(o.Keys), toldKeys)], "count": len(o.Keys)}
}
