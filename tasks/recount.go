package tasks

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Bounds of the database time for counts that read every unfinished task.
const (
	// recountCheap is the most time of a count that is made again for each caller.
	recountCheap = 100 * time.Millisecond

	// recountShare bounds the time that a process spends on counts in the database: one part in 200.
	recountShare = 200

	// MaxCountAge is the greatest age of a Counted. A count that takes longer than 3 s is repeated at
	// this age, so the process exceeds recountShare.
	MaxCountAge = 10 * time.Minute

	// recountTimeout bounds one count.
	recountTimeout = 30 * time.Second
)

// Counted is a count by the database, with its time.
type Counted[T any] struct {
	Value T
	At    time.Time
}

// recount shares a count among all callers until the count is due again. A slow count is due again
// later.
type recount[T any] struct {
	now      func() time.Time
	counting sync.Mutex
	last     atomic.Pointer[countState[T]]
}

// countState is the last count of a recount.
type countState[T any] struct {
	Counted[T]
	err   error // of the last attempt; Value is from an earlier one
	until time.Time
}

// get counts again if the count is due, and returns the last count. While another caller counts, get
// returns the last count.
func (r *recount[T]) get(ctx context.Context, count func(context.Context) (T, error)) (Counted[T], error) {
	if !r.counting.TryLock() {
		if last := r.last.Load(); last != nil {
			return last.result(r.now())
		}
		r.counting.Lock()
	}
	defer r.counting.Unlock()
	if last := r.last.Load(); last != nil && r.now().Before(last.until) {
		return last.result(r.now())
	}
	next := r.count(ctx, count)
	r.last.Store(next)
	return next.result(r.now())
}

// count makes a count. It goes on after the caller's context ends, since the next caller needs the
// count.
func (r *recount[T]) count(ctx context.Context, count func(context.Context) (T, error)) *countState[T] {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recountTimeout)
	defer cancel()
	begun, next := r.now(), &countState[T]{}
	value, err := count(ctx)
	if next.err = err; err == nil {
		next.Counted = Counted[T]{value, begun}
	} else if last := r.last.Load(); last != nil {
		next.Counted = last.Counted
	}
	if took := r.now().Sub(begun); took > recountCheap {
		next.until = begun.Add(min(recountShare*took, MaxCountAge))
	}
	return next
}

// result returns the count, or an error if there is none or it is too old.
func (c *countState[T]) result(now time.Time) (Counted[T], error) {
	if c.err != nil && now.Sub(c.At) > MaxCountAge {
		return Counted[T]{}, c.err
	}
	return c.Counted, nil
}

// recounts holds the recounts of a Store.
type recounts struct {
	all     recount[[]Backlog]
	tenants sync.Map // tenant → *recount[TenantBacklog], of tenants with many tasks
}

// CountedBacklog returns a result of Backlog that is at most MaxCountAge old.
func (s *Store) CountedBacklog(ctx context.Context) (Counted[[]Backlog], error) {
	return s.recounts.all.get(ctx, s.Backlog)
}

// CountedTenant returns a result of TenantBacklog that is at most MaxCountAge old.
func (s *Store) CountedTenant(ctx context.Context, tenant string) (Counted[TenantBacklog], error) {
	found, _ := s.recounts.tenants.LoadOrStore(tenant, &recount[TenantBacklog]{now: s.now})
	r := found.(*recount[TenantBacklog])
	defer func() {
		if last := r.last.Load(); last != nil && last.until.IsZero() {
			s.recounts.tenants.CompareAndDelete(tenant, r)
		}
	}()
	return r.get(ctx, func(ctx context.Context) (TenantBacklog, error) { return s.TenantBacklog(ctx, tenant) })
}
