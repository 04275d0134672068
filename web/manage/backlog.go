package manage

import (
	"context"
	"slices"
	"time"

	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/view"
)

// QueueState is the state of a queue and of its rows in the ledger. It covers all tenants or one
// tenant.
type QueueState struct {
	view.Queue
	Stats  queue.QueueStats
	Waits  []tasks.Wait
	Pushed int64 // number of keys in Redis or, for one tenant, of rows in Redis

	Counted time.Time // time at which the backlog was counted
	Stalled tasks.Stalled
}

// QueueNames returns the names of the registered kinds and of the queues in Redis, sorted. Each kind has a
// queue of the same name.
func (s *Service) QueueNames(ctx context.Context) ([]string, error) {
	names, err := s.Queue.Admin().Queues(ctx)
	if err != nil {
		return nil, QueueProblem(err)
	}
	names = append(names, s.Kinds.Names()...)
	slices.Sort(names)
	return slices.Compact(names), nil
}

// QueueState returns the state of a queue, without the reasons why the queue makes no progress.
func (s *Service) QueueState(ctx context.Context, name string) (QueueState, error) {
	counts, err := s.LedgerCounts(ctx)
	if err != nil {
		return QueueState{}, err
	}
	return s.QueueStateWith(ctx, name, counts)
}

// ledgerCounts holds counts of waiting rows from the ledger, for all queues.
type ledgerCounts struct {
	waits []tasks.Wait
	rows  map[string]int64 // rows that may start, by queue
	unfed map[string]int64 // rows that are not in Redis, by queue

	stalled map[string]tasks.Stalled // by queue

	counted time.Time // time at which the rows were counted
}

// LedgerCounts returns counts of waiting rows from the ledger, for all queues.
func (s *Service) LedgerCounts(ctx context.Context) (v ledgerCounts, err error) {
	if v.waits, err = s.Tasks.Waits(ctx); err != nil {
		return v, err
	}
	counted, err := s.Tasks.CountedBacklog(ctx)
	v.rows, v.unfed, v.counted = map[string]int64{}, map[string]int64{}, counted.At
	v.stalled = map[string]tasks.Stalled{}
	for _, b := range counted.Value {
		v.rows[b.Kind] += b.Rows
		v.unfed[b.Kind] += b.Unfed
		sum := v.stalled[b.Kind]
		sum.Add(b.Stalled)
		v.stalled[b.Kind] = sum
	}
	return v, err
}

// QueueStateWith returns the state of a queue, without the reasons why the queue makes no progress. The argument
// `counts` is a result of LedgerCounts. The lag is the waiting time of the oldest row that may run, in the ledger
// or in Redis.
func (s *Service) QueueStateWith(ctx context.Context, name string, counts ledgerCounts) (QueueState, error) {
	st, err := s.QueueStats(ctx, name)
	if err != nil {
		return QueueState{}, err
	}
	v := QueueState{Queue: view.OfQueue(st), Stats: st, Pushed: st.Length + st.Busy}
	for _, w := range counts.waits {
		if w.Kind == name {
			v.Waits = append(v.Waits, w)
		}
	}
	v.Backlog, v.InLedger, v.Counted, v.Stalled = counts.rows[name], counts.unfed[name], counts.counted, counts.stalled[name]
	v.Lag = max(v.Lag, tasks.LagsOf(v.Waits, s.Now())[name].Seconds())
	return v, nil
}
