package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/rollcall-dev/rollcall/tasks"
)

// board answers polls from memory: however many look at a task, the ledger is
// asked about it once in a while, and for its errors only when it has changed.
// What it tells of a task never goes back to an older version.
type board struct {
	read  func(ctx context.Context, tenant, id string) (*tasks.Task, error)
	tell  func(ctx context.Context, t *tasks.Task) (telling, error)
	fresh time.Duration // how old an answer may be

	one    singleflight.Group
	mu     sync.Mutex
	turn   int64 // counts reads and changes, in the order they began
	looks  map[place]*look
	absent map[place]*look // of tasks that are not there; at most maxAbsent
	swept  time.Time
}

// place is whose task it is, and which.
type place struct{ tenant, id string }

// look is a task as it was at one moment. What it says is never changed.
type look struct {
	task   *tasks.Task // nil if it was changed here since: what was read before must not be told
	err    error       // why there is no task
	bodies *bodies
	turn   int64
	at     time.Time
	over   chan struct{} // closed when another version is known; nil if nobody will tell
}

// bodies are a version's JSON by language, made when somebody asks.
type bodies struct {
	tell telling
	mu   sync.Mutex
	done map[string]told
}

// told is a version in one language, as it goes over the wire.
type told struct {
	body  []byte // the poll's JSON
	frame []byte // the same as an event of a stream
}

const (
	boardSweep = 10 * time.Second // how long a look that nobody wants is kept at least
	maxAbsent  = 1000             // tasks
	longID     = 100              // bytes; no id that is longer is remembered
)

// in is the task in a language.
func (l *look) in(lang string) (told, error) {
	b := l.bodies
	b.mu.Lock()
	defer b.mu.Unlock()
	if p, ok := b.done[lang]; ok {
		return p, nil
	}
	text, err := json.Marshal(b.tell(lang))
	if err != nil {
		return told{}, err
	}
	name := "progress"
	if l.task.Status.Done() {
		name = "done"
	}
	frame := fmt.Appendf(nil, "event: %s\nid: %d\ndata: %s\n\n", name, l.task.Version, text)
	end := len(frame) - len("\n\n")
	p := told{body: frame[end-len(text) : end], frame: frame}
	b.done[lang] = p
	return p, nil
}

// get is the task as it was a moment ago at most.
func (b *board) get(ctx context.Context, tenant, id string) (*look, error) {
	where := place{tenant, id}
	if last := b.last(where); b.isFresh(last) {
		return last, last.err
	}
	answer := b.one.DoChan(where.key(), func() (any, error) {
		last := b.last(where)
		if b.isFresh(last) { // asked for while this one was about to ask
			return last, nil
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTimeout)
		defer cancel()
		return b.look(ctx, where, last)
	})
	select {
	case r := <-answer:
		if r.Err != nil {
			return nil, r.Err
		}
		return r.Val.(*look), r.Val.(*look).err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (b *board) isFresh(l *look) bool { return l != nil && time.Since(l.at) < b.fresh }

func (p place) key() string { return p.tenant + "/" + p.id }

// last is what is known of a task; nil if the ledger has to be asked.
func (b *board) last(where place) *look {
	b.mu.Lock()
	defer b.mu.Unlock()
	if l := b.looks[where]; l != nil && l.task != nil {
		return l
	}
	return b.absent[where]
}

// look asks the ledger. What it said last stands while the version does.
func (b *board) look(ctx context.Context, where place, last *look) (*look, error) {
	next := &look{turn: b.next(), at: time.Now()}
	t, err := b.read(ctx, where.tenant, where.id)
	switch {
	case errors.Is(err, tasks.ErrNotFound), errors.Is(err, tasks.ErrExpired):
		next.err = err
		return b.keepAbsent(where, next), nil
	case err != nil:
		return nil, err
	}
	next.task = t
	if last != nil && last.task != nil && last.task.Version == t.Version && last.task.Num == t.Num {
		next.bodies = last.bodies
	} else {
		tell, err := b.tell(ctx, t)
		if err != nil {
			return nil, err
		}
		next.bodies = &bodies{tell: tell, done: map[string]told{}}
	}
	return b.keep(where, next), nil
}

// next is the turn of a read or a change that begins.
func (b *board) next() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.turn++
	return b.turn
}

// keep holds a look for the next who ask, unless something newer is known, and
// returns what is to be told.
func (b *board) keep(where place, l *look) *look {
	b.mu.Lock()
	defer b.mu.Unlock()
	old := b.looks[where]
	switch {
	case old == nil || old.turn < l.turn:
		b.put(where, l)
	case old.task != nil:
		return old
	}
	return l
}

// put holds a look, wakes who waits for another version, and drops looks that
// nobody has asked for in a while.
func (b *board) put(where place, l *look) {
	if b.looks == nil {
		b.looks = map[place]*look{}
	}
	if l.at.Sub(b.swept) > boardSweep {
		b.swept = l.at
		old := func(_ place, old *look) bool { return l.at.Sub(old.at) > boardSweep }
		maps.DeleteFunc(b.looks, old)
		maps.DeleteFunc(b.absent, old)
	}
	delete(b.absent, where)
	old := b.looks[where]
	b.looks[where] = l
	if l.task != nil {
		l.over = make(chan struct{})
	}
	switch {
	case old == nil || old.over == nil:
	case old.bodies == l.bodies:
		l.over = old.over // the same version
	default:
		close(old.over)
	}
}

// keepAbsent notes that a task is not there. Who asks for any number of ids
// that are none fills no more than a small map.
func (b *board) keepAbsent(where place, l *look) *look {
	b.mu.Lock()
	defer b.mu.Unlock()
	if old := b.looks[where]; old != nil && old.turn > l.turn || len(where.id) > longID {
		return l // changed here meanwhile: the next look will tell
	}
	if b.absent == nil || len(b.absent) >= maxAbsent {
		b.absent = map[place]*look{}
	}
	if old := b.looks[where]; old != nil && old.over != nil {
		close(old.over)
	}
	delete(b.looks, where)
	b.absent[where] = l
	return l
}

// forget has the next poll of a task ask the ledger: this process has just
// changed it. A read that began before is told to nobody who asks from now on.
func (b *board) forget(tenant, id string) {
	where := place{tenant, id}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.turn++
	b.put(where, &look{turn: b.turn, at: time.Now()})
	b.one.Forget(where.key())
}
