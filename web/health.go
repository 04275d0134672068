package web

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/version"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/web/view"
)

// readyTimeout and queueReadyTimeout bound how long /readyz waits for the ledger and for the queues. Only
// TestMain changes them.
var (
	readyTimeout      = 3 * time.Second
	queueReadyTimeout = time.Second
)

// wakeTimeout bounds how long a request waits to wake other processes.
const wakeTimeout = 300 * time.Millisecond

// getHealth serves GET /healthz. It reports that the process is alive.
func (s *Server) getHealth(c *gin.Context) error {
	c.JSON(http.StatusOK, view.Health{Status: "ok", Version: version.Number(), Commit: version.Commit()})
	return nil
}

// getReady serves GET /readyz. It reports whether the process can serve requests. A process that cannot
// reach its ledger, or that is about to stop, is not ready. A process that cannot reach its queues is
// ready, and reports them as away.
func (s *Server) getReady(c *gin.Context) error {
	ctx := c.Request.Context()
	if s.leaving.Load() {
		answer(c, notReady("STOPPING", "This process is stopping. Send requests to another process."))
		return nil
	}
	queue := make(chan error, 1)
	go func() { queue <- s.queueReady(ctx) }()
	err := s.ready(ctx)
	away := <-queue
	if err != nil {
		s.logProbe(ctx, "not ready", err)
		answer(c, notReady("LEDGER_AWAY", "The ledger does not answer."))
		return nil
	}
	v := view.Readiness{Status: "ready", Ledger: "ok", Queue: "ok"}
	if away != nil {
		s.logProbe(ctx, "the queues are unreachable", away)
		v.Queue = "away"
	}
	c.JSON(http.StatusOK, v)
	return nil
}

// probeLine is the shortest time between two log lines about /readyz. Without it, any client could fill
// the log with calls of /readyz.
const probeLine = time.Second

// logProbe logs why a part of the service is unavailable, at most once per probeLine.
func (s *Server) logProbe(ctx context.Context, text string, err error) {
	now, last := time.Now().UnixMilli(), s.probeLogged.Load()
	if now-last >= probeLine.Milliseconds() && s.probeLogged.CompareAndSwap(last, now) {
		s.opt.Log.WarnContext(ctx, text, "err", err)
	}
}

// notReady returns the problem that this process is not ready. The argument `part` is the code of the
// reason.
func notReady(part, detail string) *problem.Problem {
	p := *problem.ErrNotReady
	p.Errors = []problem.Fault{{Code: part, Detail: detail}}
	return &p
}

func (s *Server) queueReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, queueReadyTimeout)
	defer cancel()
	return s.opt.QueueReady(ctx)
}

// ready returns an error if the ledger cannot be reached within readyTimeout.
func (s *Server) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	return s.opt.Ready(ctx)
}

// wakeFor wakes the processes that wait for a topic. It gives up after wakeTimeout. If Redis is
// unavailable, these processes find the work by polling.
func (s *Server) wakeFor(ctx context.Context, topic string) {
	ctx, cancel := context.WithTimeout(ctx, wakeTimeout)
	defer cancel()
	if err := s.opt.Queue.Notify(ctx, topic); err != nil {
		s.opt.Log.WarnContext(ctx, "wake-up failed", "topic", topic, "err", err)
	}
}
