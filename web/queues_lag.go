package web

import (
	"context"

	"github.com/rollcall-dev/rollcall/queue"
)

// queueState returns how a queue is. Its lag is that of the oldest row that may run, in the
// ledger or in Redis.
func (s *Server) queueState(ctx context.Context, name string) (queueView, queue.QueueStats, error) {
	st, err := s.queueStats(ctx, name)
	if err != nil {
		return queueView{}, st, err
	}
	lags, err := s.opt.Tasks.Lags(ctx)
	v := viewQueue(st)
	v.Lag = max(v.Lag, lags[name].Seconds())
	return v, st, err
}
