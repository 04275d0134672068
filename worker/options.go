package worker

import (
	"maps"
	"time"
)

// Option tunes a definition.
type Option func(*Kind)

// Shards sets Kind.Shards.
func Shards(n int) Option { return func(k *Kind) { k.Shards = n } }

// MaxRetries sets Kind.MaxRetries.
func MaxRetries(n int) Option { return func(k *Kind) { k.MaxRetries = n } }

// RetryIn sets Kind.RetryIn.
func RetryIn(f func(n int) time.Duration) Option { return func(k *Kind) { k.RetryIn = f } }

// Timeout sets Kind.Timeout.
func Timeout(d time.Duration) Option { return func(k *Kind) { k.Timeout = d } }

// BatchSize sets Kind.BatchSize.
func BatchSize(n int) Option { return func(k *Kind) { k.BatchSize = n } }

// Messages gives texts in a language, such as "ru", for codes of this kind:
// they replace what Fail says, and what Rollcall says of a broken rule. {name}
// stands for a value of Failure.With, {column} and {value} for what was at
// fault; {n|one=row|other=rows} chooses by a number, in the forms of CLDR. A
// text with a value that a row lacks is not used. "<code>.hint" is the hint of
// a code, "<code>.title" what it is called in a few words, "<column>.hint" the
// hint of a column of the struct.
//
// Rollcall speaks en, ru, vi and zh, and any language that a kind has texts in;
// what has none is told in English. Define panics on what is no language.
func Messages(lang string, texts map[string]string) Option {
	return func(k *Kind) {
		if k.Texts == nil {
			k.Texts = map[string]map[string]string{}
		}
		if k.Texts[lang] == nil {
			k.Texts[lang] = map[string]string{}
		}
		maps.Copy(k.Texts[lang], texts)
	}
}

// Latest passes to the handler only the newest job of those that wait under a key
// when it is fetched. The older jobs are superseded: they finish when the newest job
// ends, as finish, failed or error, with its id as their result. While the newest job
// is snoozed or waits for a retry, the older jobs wait with it, and jobs that came
// meanwhile are newer still. A crash loses none of them.
func Latest() Option { return func(k *Kind) { k.Latest = true } }

// Unordered declares that an older row of a key may run after a newer one has
// finished, as where each row adds to what is there. Without it, a row that was
// repaired, resubmitted or held up, or whose job Redis lost for a while, does not run
// once a newer row of its key has finished: it ends as superseded, unless a person has
// it run. Rows of a key still run one after another.
func Unordered() Option { return func(k *Kind) { k.Unordered = true } }

// Track with false has the kind run on the queue alone, at its speed: no task, no
// event, nothing in the database. A business failure is logged and forgotten,
// a system fault is retried and then lies in the queue's morgue; notes,
// results, progress and checkpoints have nowhere to go. Redis alone keeps the
// jobs, so a Redis that is wiped has lost them; a job may run again after a
// crash, without asking. Files cannot be uploaded for such a kind: its Schema
// is nil.
//
// The payload in the queue is the params, under the key "<tenant>/<key>". The
// same params under one key are one job while they wait. Not for a kind that
// has tasks which are not done.
func Track(tracked bool) Option { return func(k *Kind) { k.Untracked = !tracked } }
