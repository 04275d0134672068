package web

import (
	"context"
	"slices"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/view"
)

// queueLook is how a queue is, with what the ledger holds for it: of all tenants, or of one.
type queueLook struct {
	view.Queue
	stats  queue.QueueStats
	waits  []tasks.Wait
	pushed int64 // keys in Redis; of one tenant, rows

	counted time.Time // when its backlog was
}

// queueNames returns the queues of kinds, and those that Redis has seen, in order of name.
func (s *Server) queueNames(ctx context.Context) ([]string, error) {
	names, err := s.opt.Queue.Admin().Queues(ctx)
	if err != nil {
		return nil, queueFault(err)
	}
	names = append(names, s.opt.Kinds.Names()...)
	slices.Sort(names)
	return slices.Compact(names), nil
}

// queueList returns how all queues are for the caller, in order of name.
func (s *Server) queueList(c *gin.Context) ([]view.Queue, error) {
	ctx := c.Request.Context()
	names, err := s.queueNames(ctx)
	if err != nil {
		return nil, err
	}
	held, err := s.inLedger(ctx)
	if err != nil {
		return nil, err
	}
	list := []view.Queue{}
	for _, name := range names {
		look, err := s.look(ctx, name, held)
		if err == nil {
			look, err = s.forCaller(c, look)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, look.Queue)
	}
	return list, nil
}

// queueState returns how a queue is for the caller, and why it does not move.
func (s *Server) queueState(c *gin.Context, name string) (queueLook, error) {
	look, err := s.lookAt(c.Request.Context(), name)
	if err != nil {
		return look, err
	}
	return s.forCaller(c, look)
}

// forCaller adds the reasons why a queue does not move. To all but the owner it returns what
// is of the tenant alone.
func (s *Server) forCaller(c *gin.Context, all queueLook) (queueLook, error) {
	own := all
	if caller(c).May(access.ServiceRead) {
		return own, s.explainQueue(c, &all, &own)
	}
	if err := s.narrow(c, &own); err != nil {
		return own, err
	}
	err := s.explainQueue(c, &all, &own)
	own.QueueTotals, own.stats = nil, queue.QueueStats{Name: own.Name}
	return own, err
}

// narrow leaves of a queue what waits of the tenant of the caller.
func (s *Server) narrow(c *gin.Context, look *queueLook) error {
	tenant := s.tenant(c)
	counted, err := s.opt.Tasks.CountedTenant(c.Request.Context(), tenant)
	if err != nil {
		return err
	}
	own := counted.Value.Kinds[look.Name]
	look.Backlog, look.pushed, look.counted = own.Rows, own.Queued, counted.At
	look.waits = slices.DeleteFunc(slices.Clone(look.waits), func(w tasks.Wait) bool { return w.Tenant != tenant })
	look.Lag = tasks.LagsOf(look.waits, s.opt.Now())[look.Name].Seconds()
	return nil
}

// lookAt returns how a queue is, without reasons.
func (s *Server) lookAt(ctx context.Context, name string) (queueLook, error) {
	held, err := s.inLedger(ctx)
	if err != nil {
		return queueLook{}, err
	}
	return s.look(ctx, name, held)
}

// ledgerLook is what the ledger holds for all queues.
type ledgerLook struct {
	waits []tasks.Wait
	rows  map[string]int64 // that have not begun and may, by queue

	counted time.Time // when rows was
}

func (s *Server) inLedger(ctx context.Context) (v ledgerLook, err error) {
	if v.waits, err = s.opt.Tasks.Waits(ctx); err != nil {
		return v, err
	}
	counted, err := s.opt.Tasks.CountedBacklog(ctx)
	v.rows, v.counted = map[string]int64{}, counted.At
	for _, b := range counted.Value {
		v.rows[b.Kind] += b.Rows
	}
	return v, err
}

// look returns how a queue is, without reasons. Its lag is that of the oldest row that may run,
// in the ledger or in Redis.
func (s *Server) look(ctx context.Context, name string, held ledgerLook) (queueLook, error) {
	st, err := s.queueStats(ctx, name)
	if err != nil {
		return queueLook{}, err
	}
	v := queueLook{Queue: view.OfQueue(st), stats: st, pushed: st.Length + st.Busy}
	for _, w := range held.waits {
		if w.Kind == name {
			v.waits = append(v.waits, w)
		}
	}
	v.Backlog, v.counted = held.rows[name], held.counted
	v.Lag = max(v.Lag, tasks.LagsOf(v.waits, s.opt.Now())[name].Seconds())
	return v, nil
}
