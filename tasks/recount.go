package tasks

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Bounds of what the database spends on counts that read every unfinished task.
const (
	// recountCheap is how long a count may take to be made for each caller.
	recountCheap = 100 * time.Millisecond

	// recountShare is the greatest share of its time that a process spends on counts in the database.
	recountShare = 200

	// MaxCountAge is how old a Counted gets. A process that counts for longer than 3 s at a
	// time spends more than its share.
	MaxCountAge = 10 * time.Minute

	// recountTimeout bounds one count.
	recountTimeout = 30 * time.Second
)

// Counted is what the database counted at a time.
type Counted[T any] struct {
	Value T
	At    time.Time
}

// recount returns a count to all callers until it is due again. A count that took long is due
// later.
type recount[T any] struct {
	now      func() time.Time
	counting sync.Mutex
	last     atomic.Pointer[countState[T]]
}

// countState is the last count of a recount.
type countState[T any] struct {
	Counted[T]
	err   error // of the last try; Value is that of an earlier one
	until time.Time
}

// get returns the last count, or has it made again if it is due. While another caller has it
// made, get returns the last count.
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

// count makes a count. It goes on if the caller has gone: the next caller needs it.
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

// result returns the count; an error if there is none, or none that is young enough.
func (c *countState[T]) result(now time.Time) (Counted[T], error) {
	if c.err != nil && now.Sub(c.At) > MaxCountAge {
		return Counted[T]{}, c.err
	}
	return c.Counted, nil
}

// recounts are those of a Store.
type recounts struct {
	all     recount[[]Backlog]
	tenants sync.Map // tenant → *recount[TenantBacklog], of tenants with many tasks
}

// CountedBacklog returns what Backlog counted, at most MaxCountAge ago.
func (s *Store) CountedBacklog(ctx context.Context) (Counted[[]Backlog], error) {
	return s.recounts.all.get(ctx, s.Backlog)
}

// CountedTenant returns what TenantBacklog counted, at most MaxCountAge ago.
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
