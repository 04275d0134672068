package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// touched answers how much an act on a whole queue or node has touched.
func touched(c *gin.Context, n int, err error) error {
	if err != nil {
		return err
	}
	c.JSON(http.StatusOK, view.Touched{Touched: n})
	return nil
}

// deed does what an operator asks for, on record from before it begins, and
// returns how much it has touched.
func (s *Server) deed(
	c *gin.Context, verb, target string, detail any, do func(context.Context) (int, error),
) (int, error) {
	ctx := c.Request.Context()
	num, err := s.noteDeed(c, verb, target, detail, audit.InProgress)
	if err != nil {
		return 0, err
	}
	n, err := do(ctx)
	var fault audit.Detail
	if err != nil {
		fault.Request = json.RawMessage(`{"error":"it broke off"}`)
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTimeout)
	defer cancel()
	return n, errors.Join(err, s.opt.Audit.Finish(late, num, int64(n), fault))
}

// noteDeed puts what an operator does on record.
func (s *Server) noteDeed(
	c *gin.Context, verb, target string, detail any, touched int64,
) (int64, error) {
	return s.noteEntry(c, audit.Entry{
		Subject: audit.Operators(s.tenant(c)), Actor: s.actor(c), Act: verb, Target: target, Touched: touched,
	}, detail)
}

// noteDeedOf puts what is done to a tenant on record, in the audit of its operators.
func (s *Server) noteDeedOf(c *gin.Context, tenant, verb string, detail any, touched int64) (int64, error) {
	return s.noteEntry(c, audit.Entry{
		Subject: audit.Operators(tenant), Actor: s.actor(c), Act: verb, Target: tenant, Touched: touched,
	}, detail)
}

// noteEntry puts an entry on record, with what was asked for. What the owner does to another
// tenant than its own is in the audit of the owner, too: a removal deletes that of the tenant.
func (s *Server) noteEntry(c *gin.Context, e audit.Entry, detail any) (int64, error) {
	if text, err := json.Marshal(detail); err == nil && string(text) != "null" {
		e.Detail.Request = text
	}
	if caller(c).May(access.ServiceWrite) && e.Subject != audit.Operators(s.tenant(c)) {
		own := e
		own.Subject = audit.Owner()
		if _, err := s.opt.Audit.Begin(c.Request.Context(), own); err != nil {
			return 0, err
		}
	}
	return s.opt.Audit.Begin(c.Request.Context(), e)
}

// pauseQueue serves POST /queues/{q}/pause and /resume.
func (s *Server) pauseQueue(pause bool) func(*gin.Context) error {
	return func(c *gin.Context) error {
		st, err := s.wholeQueue(c)
		if err != nil {
			return err
		}
		n, err := s.turnQueue(c, st, pause)
		return touched(c, n, err)
	}
}

// turnQueue pauses a queue, or has it go on.
func (s *Server) turnQueue(c *gin.Context, st queue.QueueStats, pause bool) (int, error) {
	verb, set := "resume", (*queue.Admin).Resume
	if pause {
		verb, set = "pause", (*queue.Admin).Pause
	}
	return s.deed(c, verb, st.Name, nil, func(ctx context.Context) (int, error) {
		if st.Paused == pause {
			return 0, nil
		}
		return 1, queueFault(set(s.opt.Queue.Admin(), ctx, st.Name))
	})
}

// wholeQueue returns the queue of a request that acts on all of it.
func (s *Server) wholeQueue(c *gin.Context) (queue.QueueStats, error) {
	name := c.Param("queue")
	if _, known := s.opt.Kinds.Kind(name); known { // Redis gets to know it
		if _, err := s.opt.Queue.Stats(c.Request.Context(), name); err != nil {
			return queue.QueueStats{}, queueFault(err)
		}
	}
	return s.queueStats(c.Request.Context(), name)
}

// reshardRequest is the body of POST /queues/{q}/reshard.
type reshardRequest struct {
	Shards int `json:"shards"`
}

// reshardQueue serves POST /queues/{q}/reshard.
func (s *Server) reshardQueue(c *gin.Context) error {
	in := taken[reshardRequest](c)
	if err := checkShards(in.Shards); err != nil {
		return err
	}
	st, err := s.wholeQueue(c)
	if err != nil {
		return err
	}
	n, err := s.cutQueue(c, st, in.Shards)
	return touched(c, n, err)
}

// checkShards refuses a number of shards that no queue can have.
func checkShards(n int) error {
	if n < 1 || n > queue.MaxShards {
		return problem.BadField("shards", fmt.Sprintf("shards is a number from 1 to %d.", queue.MaxShards))
	}
	return nil
}

// cutQueue gives a queue another number of shards.
func (s *Server) cutQueue(c *gin.Context, st queue.QueueStats, shards int) (int, error) {
	return s.deed(c, "reshard", st.Name, gin.H{"shards": shards}, func(ctx context.Context) (int, error) {
		if !st.Resharding && len(st.Shards) == shards {
			return 0, nil
		}
		err := s.opt.Queue.Admin().Reshard(ctx, st.Name, shards)
		if errors.Is(err, queue.ErrResharding) {
			return 0, problem.New(http.StatusConflict, "RESHARDING",
				"Keys are still moving after the last change of shards. Wait until resharding is false.")
		}
		return shards, queueFault(err)
	})
}

// drainNode serves POST /nodes/{id}/drain and /undrain.
func (s *Server) drainNode(drain bool) func(*gin.Context) error {
	return func(c *gin.Context) error {
		node, err := s.nodeOf(c)
		if err != nil {
			return err
		}
		n, err := s.turnNode(c, node, drain)
		return touched(c, n, err)
	}
}

// nodeOf returns the node of a request.
func (s *Server) nodeOf(c *gin.Context) (node view.Node, err error) {
	nodes, err := s.nodeList(c.Request.Context())
	if err != nil {
		return node, err
	}
	i := slices.IndexFunc(nodes, func(n view.Node) bool { return n.Name == c.Param("node") })
	if i < 0 {
		return node, problem.ErrNotFound
	}
	return nodes[i], nil
}

// turnNode drains a node, or ends that.
func (s *Server) turnNode(c *gin.Context, node view.Node, drain bool) (int, error) {
	verb, set := "undrain", (*queue.Admin).Undrain
	if drain {
		verb, set = "drain", (*queue.Admin).Drain
	}
	return s.deed(c, verb, node.Name, nil, func(ctx context.Context) (int, error) {
		if node.Draining == drain {
			return 0, nil
		}
		return 1, queueFault(set(s.opt.Queue.Admin(), ctx, node.Name))
	})
}
