package dispatch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// VerifyOptions tunes a verification. The zero value works.
type VerifyOptions struct {
	// Task is the id of the only task to look at. Default: all.
	Task string

	// Repair mends what is found, but pushes no row that may be at work, and none of its key
	// behind it: see SweeperOptions.Quiet.
	Repair bool

	// Alone leaves out Redis, as where nothing runs.
	Alone bool

	// Settle is how long to wait before a second look at what does not agree:
	// only what is still wrong then is told. Default 500ms.
	Settle time.Duration

	// Tell gets each difference as it is found. Default: nothing.
	Tell func(Difference)

	// Seen gets what has been seen so far, behind each task and each page of
	// what Redis holds. Default: nothing.
	Seen func(Verdict)

	// Now tells the time. Default time.Now.
	Now func() time.Time
}

func (o VerifyOptions) withDefaults() VerifyOptions {
	o.Settle = cmp.Or(o.Settle, 500*time.Millisecond)
	if o.Tell == nil {
		o.Tell = func(Difference) {}
	}
	if o.Seen == nil {
		o.Seen = func(Verdict) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Difference is one thing in which events, counts and Redis do not agree.
type Difference struct {
	Task string // id, or the name of a queue where no task is known
	What string // in words
	Done string // what was done about it; empty: nothing
}

// Verdict is what a verification has seen.
type Verdict struct {
	Tasks       int64
	Events      int64
	Jobs        int64 // payloads in Redis
	Differences int64
	Mended      int64
	NoRedis     bool // Redis was not looked at: left out, or not the one that was fed
}

// Sound tells whether all is well, or is well by now.
func (v Verdict) Sound() bool { return v.Differences == v.Mended }

// Verifier compares the events of tasks with their counts, and both with what
// is in Redis. It may run beside a busy system, and raises no false alarm. Its
// memory does not grow with tasks or rows.
type Verifier struct {
	seeker
	kinds *worker.Registry
	opt   VerifyOptions
	out   Verdict
	kept  atWork
}

// NewVerifier returns a verifier. Run it once.
func NewVerifier(
	ts *tasks.Store, es *events.Store, c *queue.Client, kinds *worker.Registry, opt VerifyOptions,
) *Verifier {
	return &Verifier{
		seeker: seeker{ts, es, c}, kinds: kinds, opt: opt.withDefaults(), kept: newAtWork(kinds, quiet),
	}
}

// Run looks at everything once.
func (v *Verifier) Run(ctx context.Context) (Verdict, error) {
	for num, err := range v.nums(ctx) {
		if err == nil {
			err = v.task(ctx, num)
		}
		v.opt.Seen(v.out)
		if err != nil {
			return v.out, fmt.Errorf("dispatch: verify: %w", err)
		}
	}
	if err := v.redis(ctx); err != nil {
		return v.out, fmt.Errorf("dispatch: verify: %w", err)
	}
	return v.out, nil
}

// nums are the tasks to look at.
func (v *Verifier) nums(ctx context.Context) iter.Seq2[int64, error] {
	if v.opt.Task == "" {
		return v.tasks.Nums(ctx)
	}
	return func(yield func(int64, error) bool) { yield(v.tasks.Num(ctx, v.opt.Task)) }
}

func (v *Verifier) tell(task, what, done string) {
	v.out.Differences++
	if done != "" {
		v.out.Mended++
	}
	v.opt.Tell(Difference{task, what, done})
}

// task looks at one task.
func (v *Verifier) task(ctx context.Context, num int64) error {
	a, err := v.audit(ctx, num)
	if err != nil || a == nil {
		return err
	}
	v.out.Tasks++
	v.out.Events += a.Found.Total
	list := a.Differences()
	done := ""
	if len(list) > 0 && v.opt.Repair {
		mended, err := v.events.Mend(ctx, num)
		switch {
		case errors.Is(err, events.ErrGaps): // told, and left to a person
		case err != nil:
			return err
		default:
			list, done = mended, "set to what the rows say"
		}
	}
	for _, what := range list {
		v.tell(a.ID, string(what), done)
	}
	return nil
}

// audit is the second look at a task that did not agree at the first.
func (v *Verifier) audit(ctx context.Context, num int64) (*events.Audit, error) {
	a, err := v.events.Audit(ctx, num)
	if err != nil || a == nil || len(a.Differences()) == 0 {
		return a, err
	}
	sleep(ctx, v.opt.Settle)
	return v.events.Audit(ctx, num)
}

// redisTries is how often to look whether Redis is ours: after a restart, that
// takes the feeders a moment.
const redisTries = 10

// redis compares the ledger with Redis, both ways.
func (v *Verifier) redis(ctx context.Context) error {
	if v.out.NoRedis = v.opt.Alone; v.opt.Alone {
		return nil
	}
	mark, err := v.await(ctx)
	if v.out.NoRedis = mark == ""; err != nil || mark == "" {
		return err
	}
	feeds, err := v.tasks.Feeds(ctx)
	if err != nil {
		return err
	}
	for _, feed := range feeds {
		if v.opt.Task != "" && feed.TaskID != v.opt.Task {
			continue
		}
		err := v.strays(ctx, mark, feed, func(one stray) error { return v.stray(ctx, feed, one) })
		if err != nil {
			return err
		}
	}
	queues, err := v.client.Admin().Queues(ctx)
	if err != nil {
		return err
	}
	for _, name := range queues {
		if err := v.stranded(ctx, name); err != nil {
			return err
		}
		if kind, known := v.kinds.Kind(name); known && kind.Untracked {
			continue
		}
		if err := v.queue(ctx, mark, name); err != nil {
			return err
		}
	}
	return nil
}

// await is the mark of Redis, "" if it is not the one that was fed, and nobody
// makes it so while it waits.
func (v *Verifier) await(ctx context.Context) (string, error) {
	for try := 0; ; try++ {
		mark, ours, err := v.ours(ctx)
		switch {
		case err != nil:
			return "", err
		case ours:
			return mark, nil
		case try == redisTries:
			return "", nil
		}
		sleep(ctx, v.opt.Settle)
	}
}

// stray passes on a stray, and mends it unless its job may be at work.
func (v *Verifier) stray(ctx context.Context, feed tasks.Feed, one stray) error {
	if v.kept.keep(feed, one, v.opt.Now()) {
		v.tell(feed.TaskID, one.String()+": it is left alone, for a process may run it or a row of its key", "")
		return nil
	}
	done := ""
	if _, known := v.kinds.Kind(feed.Kind); v.opt.Repair && (known || one.buried) {
		if mended, err := v.mendStray(ctx, feed, one, v.opt.Now()); err != nil || !mended {
			return err
		}
		if done = "fed again"; one.buried {
			done = "ended as an error"
		}
	}
	v.tell(feed.TaskID, one.String(), done)
	return nil
}

// queue goes through what a queue holds, a page at a time.
func (v *Verifier) queue(ctx context.Context, mark, name string) error {
	page := make([]queue.Held, 0, strayPage)
	for h, err := range v.client.Admin().Held(ctx, name) {
		if err != nil {
			return err
		}
		v.out.Jobs++
		if page = append(page, h); len(page) < strayPage {
			continue
		}
		if err := v.held(ctx, mark, name, page); err != nil {
			return err
		}
		page = page[:0]
		v.opt.Seen(v.out)
	}
	return v.held(ctx, mark, name, page)
}

// ghost is a payload that should not be in Redis as it is.
type ghost struct {
	queue.Held
	worker.Envelope
}

// held finds, among payloads, those that would run unasked though the ledger
// says that they have, or knows nothing of them. Those that ask it first, being
// marked as redelivered or of another mark of Redis, do no harm.
func (v *Verifier) held(ctx context.Context, mark, name string, page []queue.Held) error {
	ghosts, ids := []ghost{}, []events.ID{}
	for _, h := range page {
		env, err := worker.Unpack(h.Payload)
		if err != nil || v.opt.Task != "" && env.TaskID != v.opt.Task {
			continue // not one of ours: the tracker buries it
		}
		ghosts, ids = append(ghosts, ghost{h, env}), append(ids, env.Event)
	}
	if len(ids) == 0 {
		return nil
	}
	states, err := v.events.States(ctx, ids)
	if err != nil {
		return err
	}
	refs := make([]queue.Ref, len(ghosts))
	for i, g := range ghosts {
		refs[i] = queue.Ref{Key: g.Key, Score: g.Score, Head: string(g.Payload[:headSize])}
	}
	places, err := v.client.Admin().Locate(ctx, name, refs...)
	if err != nil {
		return err
	}
	for i, g := range ghosts {
		what := g.wrong(places[i], states[g.Event], mark)
		if what == "" {
			continue
		}
		if err := v.ghost(ctx, name, g, what); err != nil {
			return err
		}
	}
	return nil
}

// wrong says what is wrong with a payload, "" if nothing is. What is in flight
// is about to be acked, and is left alone.
func (g ghost) wrong(p queue.Place, state events.State, mark string) string {
	switch {
	case p.Waiting == 0 || p.Redelivered || g.Busy || !g.under(mark):
		return ""
	case state.ID == 0 || state.TaskID != g.TaskID:
		return fmt.Sprintf("row %d waits in Redis, and the ledger does not know it", g.Row)
	case state.Status == events.Canceled: // revoked by a new mark
		return ""
	case state.Status.Rest():
		return fmt.Sprintf("row %d is %s, and waits in Redis", g.Row, state.Status)
	case p.Waiting+p.Busy > 1:
		return fmt.Sprintf("row %d is in Redis %d times", g.Row, p.Waiting+p.Busy)
	}
	return ""
}

// under tells whether a payload was pushed to the Redis that is in use; the
// mark of a feeder may say more than that of Redis, behind a dot.
func (g ghost) under(mark string) bool {
	head, _, _ := strings.Cut(g.Mark, ".")
	return head == mark
}

// ghost has a payload ask the ledger before it runs, which drops it there.
func (v *Verifier) ghost(ctx context.Context, name string, g ghost, what string) error {
	done := ""
	if _, known := v.kinds.Kind(name); v.opt.Repair && known {
		err := v.client.Push(ctx, queue.Job{
			Queue: name, Key: g.Key, Payload: g.Payload, Score: g.Score, Redelivered: true,
		})
		if err != nil {
			return err
		}
		done = "marked: it asks the ledger before it runs"
	}
	v.tell(cmp.Or(g.TaskID, name), what, done)
	return nil
}
