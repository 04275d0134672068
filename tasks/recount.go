package tasks

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// These are bounds on the database time of counts that read every unfinished task.
const (
	// recountCheap is the maximum duration of a count that is made for each caller. Longer counts are
	// shared.
	recountCheap = 100 * time.Millisecond

	// recountShare bounds the time that a process spends on a count: the next count is due after 200
	// times the duration of the last count.
	recountShare = 200

	// MaxCountAge is the age at which a count is due again, even if recountShare would allow a later
	// time. While another caller makes the next count, callers may get an older count.
	MaxCountAge = 10 * time.Minute

	// recountTimeout is the maximum duration of one count.
	recountTimeout = 30 * time.Second
)

// Counted is a count with the time at which it was made.
type Counted[T any] struct {
	Value T
	At    time.Time
}

// recount holds the last count for all callers, until the next count is due. The longer a count takes,
// the later the next count is due.
type recount[T any] struct {
	now      func() time.Time
	counting sync.Mutex
	last     atomic.Pointer[countState[T]]
}

// countState holds the last count of a recount, and the time at which the next count is due.
type countState[T any] struct {
	Counted[T]
	err   error // of the last attempt; if not nil, Value is from an earlier attempt
	until time.Time
}

// get makes a new count if it is due, and returns the last count. While another caller counts, get
// returns the count before that, and waits only if there is none yet.
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

// count calls the function `count`, and returns the new state. The call continues after ctx ends, since
// later callers need the result. It ends after recountTimeout.
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

// result returns the count. If the last call of `count` returned an error and the count is older than
// MaxCountAge, it returns the error.
func (c *countState[T]) result(now time.Time) (Counted[T], error) {
	if c.err != nil && now.Sub(c.At) > MaxCountAge {
		return Counted[T]{}, c.err
	}
	return c.Counted, nil
}

type recounts struct {
	all     recount[[]Backlog]
	tenants sync.Map // tenant → *recount[TenantBacklog], of tenants whose count takes longer than recountCheap
}

// CountedBacklog is like Backlog, but may return an earlier result, with its time. The result is older
// than MaxCountAge only while another caller makes the next count.
func (s *Store) CountedBacklog(ctx context.Context) (Counted[[]Backlog], error) {
	return s.recounts.all.get(ctx, s.Backlog)
}

// CountedTenant is like TenantBacklog, but may return an earlier result, with its time. The result is
// older than MaxCountAge only while another caller makes the next count.
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
