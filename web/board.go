package web

import (
	"context"
	"encoding/json"
	"maps"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/rollcall-dev/rollcall/tasks"
)

// board answers polls from memory: however many look at a task, the ledger is
// asked about it once in a while, and for its errors only when it has changed.
type board struct {
	read  func(ctx context.Context, tenant, id string) (*tasks.Task, error)
	tell  func(ctx context.Context, t *tasks.Task) (telling, error)
	fresh time.Duration // how old an answer may be

	one   singleflight.Group
	mu    sync.Mutex
	looks map[string]*look
	swept time.Time
}

// look is a task as it was at one moment. What it says is never changed.
type look struct {
	task   *tasks.Task
	bodies *bodies
	at     time.Time
}

// bodies are the poll's JSON by language, made when somebody asks.
type bodies struct {
	tell telling
	mu   sync.Mutex
	done map[string][]byte
}

// body is the poll's JSON in a language.
func (l *look) body(lang string) ([]byte, error) {
	b := l.bodies
	b.mu.Lock()
	defer b.mu.Unlock()
	if text, ok := b.done[lang]; ok {
		return text, nil
	}
	text, err := json.Marshal(b.tell(lang))
	if err != nil {
		return nil, err
	}
	b.done[lang] = text
	return text, nil
}

// boardSweep is how long a look that nobody wants is kept at least.
const boardSweep = 10 * time.Second

// get is the task as it was a moment ago at most.
func (b *board) get(ctx context.Context, tenant, id string) (*look, error) {
	key := tenant + "/" + id
	last := b.last(key)
	if last != nil && time.Since(last.at) < b.fresh {
		return last, nil
	}
	answer := b.one.DoChan(key, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTimeout)
		defer cancel()
		return b.look(ctx, tenant, id, last)
	})
	select {
	case r := <-answer:
		if r.Err != nil {
			return nil, r.Err
		}
		return r.Val.(*look), nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

func (b *board) last(key string) *look {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.looks[key]
}

// look asks the ledger. What it said last stands while the version does.
func (b *board) look(ctx context.Context, tenant, id string, last *look) (*look, error) {
	at := time.Now()
	t, err := b.read(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	next := &look{task: t, at: at}
	if last != nil && last.task.Version == t.Version && last.task.Num == t.Num {
		next.bodies = last.bodies
	} else {
		tell, err := b.tell(ctx, t)
		if err != nil {
			return nil, err
		}
		next.bodies = &bodies{tell: tell, done: map[string][]byte{}}
	}
	b.keep(tenant+"/"+id, next)
	return next, nil
}

// keep holds a look for the next who ask, and drops those that nobody has
// asked for in a while.
func (b *board) keep(key string, l *look) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.looks == nil {
		b.looks = map[string]*look{}
	}
	if l.at.Sub(b.swept) > boardSweep {
		b.swept = l.at
		maps.DeleteFunc(b.looks, func(_ string, old *look) bool { return l.at.Sub(old.at) > boardSweep })
	}
	b.looks[key] = l
}

// forget has the next poll of a task ask the ledger: this process has just
// changed it.
func (b *board) forget(tenant, id string) {
	key := tenant + "/" + id
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.looks, key)
	b.one.Forget(key)
}
