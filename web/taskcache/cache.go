package taskcache

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/internal/flight"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/view"
)

// Cache is a cache of snapshots of tasks for polls. The fields Read, Load and MaxAge are required. Set them
// before the first call.
type Cache struct {
	// Read reads a task.
	Read func(ctx context.Context, tenant, id string) (*tasks.Task, error)

	// Load reads the details of a task for a poll, such as failed rows. It returns a function that
	// renders the task and the details.
	Load func(ctx context.Context, t *tasks.Task) (Render, error)

	// MaxAge is the greatest age of a response to a poll.
	MaxAge time.Duration

	reads     flight.Group[*Snapshot]
	mu        sync.Mutex
	serial    int64 // number of reads and changes that have begun
	snapshots map[taskRef]*Snapshot
	missing   map[taskRef]*Snapshot // snapshots of tasks that do not exist; at most maxMissing
	swept     time.Time
}

// Render is a function that returns a task in a language, as the API shows it.
type Render func(lang string) view.Task

// taskRef is the identity of a task.
type taskRef struct{ tenant, id string }

const (
	readTimeout = 10 * time.Second // timeout of a read that several callers wait for
	sweepAfter  = 10 * time.Second // shortest time that an unused snapshot is kept
	maxMissing  = 1000             // tasks
	longID      = 100              // bytes; longer ids are not cached
)

// Get returns the state of a task, which is at most as old as Cache.MaxAge. It returns an error if the
// task does not exist or cannot be read.
func (c *Cache) Get(ctx context.Context, tenant, id string) (*Snapshot, error) {
	where := taskRef{tenant, id}
	if last := c.last(where); c.isFresh(last) {
		return last, last.err
	}
	answer := c.reads.Do(where.key(), func() (*Snapshot, error) {
		last := c.last(where)
		if c.isFresh(last) { // another call has just read it
			return last, nil
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTimeout)
		defer cancel()
		return c.read(ctx, where, last)
	})
	select {
	case r := <-answer:
		if r.Err != nil {
			return nil, r.Err
		}
		return r.Val, r.Val.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (c *Cache) isFresh(s *Snapshot) bool { return s != nil && time.Since(s.at) < c.MaxAge }

func (p taskRef) key() string { return p.tenant + "/" + p.id }

// last returns the cached snapshot of a task; nil if there is none.
func (c *Cache) last(where taskRef) *Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.snapshots[where]; s != nil && s.Task != nil {
		return s
	}
	return c.missing[where]
}

// read reads a task from the database, and caches its snapshot. If the task does not exist, it caches a
// snapshot with the error. If the version has not changed since the last snapshot, read reuses the texts of
// that snapshot.
func (c *Cache) read(ctx context.Context, where taskRef, last *Snapshot) (*Snapshot, error) {
	next := &Snapshot{serial: c.next(), at: time.Now()}
	t, err := c.Read(ctx, where.tenant, where.id)
	switch {
	case errors.Is(err, tasks.ErrNotFound), errors.Is(err, tasks.ErrExpired):
		next.err = err
		return c.keepMissing(where, next), nil
	case err != nil:
		return nil, err
	}
	next.Task = t
	if last != nil && last.Task != nil && last.Task.Version == t.Version && last.Task.Num == t.Num {
		next.texts = last.texts
	} else {
		render, err := c.Load(ctx, t)
		if err != nil {
			return nil, err
		}
		next.texts = &texts{render: render, done: map[variant]Text{}}
	}
	return c.keep(where, next), nil
}

// next returns the serial number of a read or a change that begins now.
func (c *Cache) next() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.serial++
	return c.serial
}

// keep caches the snapshot `s`, unless the cached snapshot is from a later read or change. It returns the
// cached snapshot if that is later and has a task, and `s` otherwise.
func (c *Cache) keep(where taskRef, s *Snapshot) *Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.snapshots[where]
	switch {
	case old == nil || old.serial < s.serial:
		c.put(where, s)
	case old.Task != nil:
		return old
	}
	return s
}

// put caches a snapshot. If the snapshot has another version, put wakes the callers that wait for a
// change. It also drops snapshots older than sweepAfter.
func (c *Cache) put(where taskRef, s *Snapshot) {
	if c.snapshots == nil {
		c.snapshots = map[taskRef]*Snapshot{}
	}
	if s.at.Sub(c.swept) > sweepAfter {
		c.swept = s.at
		old := func(_ taskRef, old *Snapshot) bool { return s.at.Sub(old.at) > sweepAfter }
		maps.DeleteFunc(c.snapshots, old)
		maps.DeleteFunc(c.missing, old)
	}
	delete(c.missing, where)
	old := c.snapshots[where]
	c.snapshots[where] = s
	if s.Task != nil {
		s.changed = make(chan struct{})
	}
	switch {
	case old == nil || old.changed == nil:
	case old.texts == s.texts:
		s.changed = old.changed // the same version
	default:
		close(old.changed)
	}
}

// keepMissing caches that a task does not exist. It does not cache an id longer than longID, or a task that
// this process has changed since the read. It keeps at most maxMissing such entries, so requests for many
// unknown ids use little memory.
func (c *Cache) keepMissing(where taskRef, s *Snapshot) *Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old := c.snapshots[where]; old != nil && old.serial > s.serial || len(where.id) > longID {
		return s // not cached: this process has changed the task meanwhile, or the id is too long
	}
	if c.missing == nil || len(c.missing) >= maxMissing {
		c.missing = map[taskRef]*Snapshot{}
	}
	if old := c.snapshots[where]; old != nil && old.changed != nil {
		close(old.changed)
	}
	delete(c.snapshots, where)
	c.missing[where] = s
	return s
}

// Invalidate makes the next Get read the task again, because this process has just changed it. Results
// of reads that started before this call are not returned to later callers.
func (c *Cache) Invalidate(tenant, id string) {
	where := taskRef{tenant, id}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.serial++
	c.put(where, &Snapshot{serial: c.serial, at: time.Now()})
	c.reads.Forget(where.key())
}
