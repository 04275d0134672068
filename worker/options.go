package worker

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/rollcall-dev/rollcall/internal/cron"
	"github.com/rollcall-dev/rollcall/internal/jobs"
)

// Option is an option of a definition.
type Option func(*spec)

// spec holds a kind while options are being applied to it.
type spec struct {
	jobs.Kind
	use []Middleware
}

// with applies options and returns the kind and its middlewares. It panics if an option is invalid,
// or if `missing` is true, which means that the kind has no handler.
func (s *spec) with(missing bool, opts []Option) (jobs.Kind, []Middleware) {
	for _, o := range opts {
		o(s)
	}
	s.MustSpeak()
	s.mustLimit()
	if s.Schema.Versioned() && (s.Untracked || s.Unordered || s.Latest) {
		panic(fmt.Sprintf("worker: %s: a version needs a kind that is tracked and in order, without Latest", s.Name))
	}
	if s.Untracked { // files need tasks, so an untracked kind has no columns
		s.Schema, s.Check, s.Cast = nil, nil, nil
	}
	switch {
	case !kindName.MatchString(s.Name) || len(s.Name) > 100:
		panic(fmt.Sprintf("worker: %q is not a valid name for a kind: want words like products.import", s.Name))
	case missing:
		panic(fmt.Sprintf("worker: %s has no handler", s.Name))
	case s.Untracked && s.Hours != (cron.Hours{}):
		panic(fmt.Sprintf("worker: %s: Hours needs a kind that is tracked", s.Name))
	case s.Unique < 0 || s.Untracked && s.Unique > 0:
		panic(fmt.Sprintf("worker: %s: the window of Unique must not be negative, and needs a kind that is tracked", s.Name))
	case s.Tx && s.Untracked:
		panic(fmt.Sprintf("worker: %s: DefineTx needs a kind that is tracked", s.Name))
	case s.StopKey && (s.Untracked || s.Unordered || s.Latest):
		panic(fmt.Sprintf("worker: %s: StopKey needs a kind that is tracked and in order, without Latest", s.Name))
	case s.Shards < 1 || s.Weight < 1 || s.BatchSize < 1 || s.MaxRetries < 0 || s.Timeout < 0:
		panic(fmt.Sprintf("worker: %s: shards, weight and batch size must be at least 1, retries and timeout at least 0", s.Name))
	}
	return s.Kind, s.use
}

// Shards sets the number of shards of a new queue. Default 5. For an existing queue, "worker
// reshard QUEUE N" changes the number while workers run.
func Shards(n int) Option { return func(s *spec) { s.Shards = n } }

// MaxRetries sets how many times a system fault is retried. Default 25.
func MaxRetries(n int) Option { return func(s *spec) { s.MaxRetries = n } }

// RetryIn sets the pause before retry n ≥ 0. Default n⁴+15+rand(30)·(n+1) s.
func RetryIn(f func(n int) time.Duration) Option { return func(s *spec) { s.RetryIn = f } }

// Weight sets the queue's share of the keys that a process fetches. Default 1.
func Weight(n int) Option { return func(s *spec) { s.Weight = n } }

// Hours sets when rows may start each day, such as "22:00-06:00 Asia/Tokyo".
func Hours(daily string) Option {
	h, err := cron.ParseHours(daily)
	if err != nil {
		panic("worker: " + err.Error())
	}
	return func(s *spec) { s.Hours = h }
}

// Timeout limits the time of one run of a handler. Default 0: no limit.
func Timeout(d time.Duration) Option { return func(s *spec) { s.Timeout = d } }

// BatchSize sets the most keys that a goroutine takes at once. Default 1.
func BatchSize(n int) Option { return func(s *spec) { s.BatchSize = n } }

// Unique makes Enqueue return an equal, unfinished job of the last `period`.
func Unique(period time.Duration) Option { return func(s *spec) { s.Unique = period } }

// Messages sets texts in a language, such as "ru". A code names the message of Fail or of a broken
// rule. "<code>.hint" is its hint, "<code>.title" its short name. {x} is the value x of Failure.With,
// {column} the column at fault, {value} its value. {n|one=row|other=rows} selects a form by the number n.
// "<column>.title", "<column>.hint" and "<column>.none" are texts of a column. "title" and "help" are
// texts of the kind.
func Messages(lang string, texts map[string]string) Option {
	return func(s *spec) {
		if s.Texts == nil {
			s.Texts = map[string]map[string]string{}
		}
		if s.Texts[lang] == nil {
			s.Texts[lang] = map[string]string{}
		}
		maps.Copy(s.Texts[lang], texts)
	}
}

// Latest runs only a key's newest waiting job. Older jobs end when it ends.
func Latest() Option { return func(s *spec) { s.Latest = true } }

// Unordered lets an older row of a key run after a newer one has finished.
func Unordered() Option { return func(s *spec) { s.Unordered = true } }

// StopKey ends jobs without a run if an older job of their key is in error.
func StopKey() Option { return func(s *spec) { s.StopKey = true } }

// Track with the argument false makes the kind faster. Its jobs are then only in Redis: they have no tasks,
// results, progress, checkpoints or files. While jobs wait, equal arguments under one key are one job.
func Track(tracked bool) Option { return func(s *spec) { s.Untracked = !tracked } }

// Classify sets a function that converts handler errors to a Failure, NoRetry, RetryAfter, Snooze,
// Cancel or nil, or returns them unchanged.
func Classify(f func(error) error) Option { return func(s *spec) { s.Classify = f } }

// OnDone makes the service call f for each done task of the kind, once per round, after the commit.
// After an error or a panic it calls f again, up to 8 times in three days, with the same
// TaskDone.ID. Each call has a minute.
func OnDone(f func(ctx context.Context, t TaskDone) error) Option {
	return func(s *spec) { s.OnDone = withDone(f) }
}

// OnFirstFailure calls f, like OnDone, at a round's first failure or error.
func OnFirstFailure(f func(ctx context.Context, t TaskDone) error) Option {
	return func(s *spec) { s.OnFirstFailure = withDone(f) }
}

// OnExhausted calls f, like OnDone, with up to 100 jobs without retries left.
func OnExhausted(f func(ctx context.Context, dead []DeadJob)) Option {
	return func(s *spec) { s.OnExhausted = withDead(f) }
}
