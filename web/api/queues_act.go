package api

import (
	"context"
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/web/intake"
	"github.com/rollcall-dev/rollcall/web/manage"
	"github.com/rollcall-dev/rollcall/web/request"
	"github.com/rollcall-dev/rollcall/web/route"
	"github.com/rollcall-dev/rollcall/web/view"
)

// answerTouched answers with the number of items that an act on a whole queue or node has changed.
func answerTouched(c *gin.Context, n int, err error) error {
	if err != nil {
		return err
	}
	request.JSON(c, http.StatusOK, view.Touched{Touched: n})
	return nil
}

// pauseQueue returns the handler of POST /queues/{q}/pause or /resume.
func (s *Handlers) pauseQueue(pause bool) func(*gin.Context) error {
	return func(c *gin.Context) error {
		st, err := s.Manage.KnownQueue(c.Request.Context(), c.Param("queue"))
		if err != nil {
			return err
		}
		n, err := s.Manage.PauseQueue(c.Request.Context(), st, pause, "")
		return answerTouched(c, n, err)
	}
}

// reshardRequest is the body of POST /queues/{q}/reshard.
type reshardRequest struct {
	Shards int `json:"shards"`
}

// reshardQueue serves POST /queues/{q}/reshard.
func (s *Handlers) reshardQueue(c *gin.Context) error {
	in := request.Body[reshardRequest](c)
	if err := manage.CheckShards(in.Shards); err != nil {
		return err
	}
	st, err := s.Manage.KnownQueue(c.Request.Context(), c.Param("queue"))
	if err != nil {
		return err
	}
	n, err := s.Manage.Reshard(c.Request.Context(), st, in.Shards)
	return answerTouched(c, n, err)
}

// drainNode returns the handler of POST /nodes/{id}/drain or /undrain.
func (s *Handlers) drainNode(drain bool) func(*gin.Context) error {
	return func(c *gin.Context) error {
		node, err := s.Manage.Node(c.Request.Context(), c.Param("node"))
		if err != nil {
			return err
		}
		n, err := s.Manage.DrainNode(c.Request.Context(), node, drain)
		return answerTouched(c, n, err)
	}
}

// actOnKeys returns the handler of POST /queues/{q}/perform-all-now, /kill-failed, /delete-failed
// or /morgue/delete.
func (s *Handlers) actOnKeys(verb string, do manage.Act) route.Handler {
	return func(c *gin.Context) error {
		in := request.Body[manage.KeysRequest](c)
		if err := in.Check(); err != nil {
			return err
		}
		out, err := s.Manage.ActOnKeys(c.Request.Context(), verb, s.Manage.NewOrder(c.Request.Context(), c.Param("queue"), in), do)
		if err != nil {
			return err
		}
		request.JSON(c, http.StatusOK, viewTouched(in, out))
		return nil
	}
}

// viewTouched returns the response about an act on keys, or about its dry run.
func viewTouched(in *manage.KeysRequest, out operate.Result) view.KeysResult {
	return view.KeysResult{Touched: out.Touched, DryRun: in.DryRun, NotFound: append([]string{}, out.Missing...)}
}

// requeueRequest is the body of POST /queues/{q}/morgue/requeue.
type requeueRequest struct {
	manage.KeysRequest
	Superseded string `json:"superseded"` // "run": superseded rows run, too; "": they do not
}

// requeue serves POST /queues/{q}/morgue/requeue.
func (s *Handlers) requeue(c *gin.Context) error {
	in := request.Body[requeueRequest](c)
	if err := errors.Join(in.Check(), intake.CheckSuperseded(in.Superseded)); err != nil {
		return err
	}
	var rows operate.Requeued
	o := s.Manage.NewOrder(c.Request.Context(), c.Param("queue"), &in.KeysRequest)
	o.Anyway = in.Superseded == intake.RunSuperseded
	out, err := s.Manage.ActOnKeys(c.Request.Context(), "requeue", o, func(d *operate.Operator, ctx context.Context, o operate.Order) (operate.Result, error) {
		var err error
		rows, err = d.Requeue(ctx, o)
		return rows.Result, err
	})
	if err != nil {
		return err
	}
	request.JSON(c, http.StatusOK, view.RequeueResult{
		KeysResult: viewTouched(&in.KeysRequest, out), Resubmitted: rows.Rows, Superseded: rows.Superseded, StillInvalid: rows.StillInvalid, Conflicts: rows.Moved,
	})
	return nil
}
