package worker

import (
	"maps"
	"time"
)

// Option is an option of a definition.
type Option func(*Kind)

// Shards sets Kind.Shards, the number of shards of a new queue. A queue that exists keeps its shards, and
// a process logs a warning if n differs: "worker reshard QUEUE N" changes them while workers run.
func Shards(n int) Option { return func(k *Kind) { k.Shards = n } }

// MaxRetries sets Kind.MaxRetries.
func MaxRetries(n int) Option { return func(k *Kind) { k.MaxRetries = n } }

// RetryIn sets Kind.RetryIn.
func RetryIn(f func(n int) time.Duration) Option { return func(k *Kind) { k.RetryIn = f } }

// Timeout sets Kind.Timeout.
func Timeout(d time.Duration) Option { return func(k *Kind) { k.Timeout = d } }

// BatchSize sets Kind.BatchSize.
func BatchSize(n int) Option { return func(k *Kind) { k.BatchSize = n } }

// Messages sets texts in a language, such as "ru", for codes of this kind. They replace the
// messages of Fail, and Rollcall's messages for broken rules. {name} is a value of Failure.With,
// {column} and {value} are those at fault; {n|one=row|other=rows} chooses by a number, in the forms
// of CLDR. A text is used only if the row has all its values. "<code>.hint" is the hint of a code,
// "<code>.title" its short name, "<column>.hint" the hint of a column of the struct.
//
// Rollcall has texts in en, ru, vi and zh, and supports any language of a kind's texts; missing
// texts are shown in English. Define panics on an invalid language.
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

// Latest passes to the handler only the newest of the jobs that wait under a key when it is
// fetched. The older jobs are superseded. They finish when the newest job ends, as finish, failed
// or error, with its id as their result. While the newest job is snoozed or waits for a retry, the
// older jobs wait with it; later jobs are newer still. A crash loses no job.
func Latest() Option { return func(k *Kind) { k.Latest = true } }

// Unordered allows an older row of a key to run after a newer one has finished, for example if each
// row adds to a total. Without it, a row that was repaired, resubmitted, delayed or lost by Redis
// does not run after a newer row of its key has finished. It ends as superseded, unless a person
// resubmits it. Rows of a key still run one after another.
func Unordered() Option { return func(k *Kind) { k.Unordered = true } }

// Track with false makes the kind run on the queue alone, at its speed: without tasks, events and
// database. A business failure is only logged. A system fault is retried, and then moved to the
// queue's morgue. Notes, results, progress and checkpoints are dropped. Redis alone keeps the jobs,
// so a wiped Redis has lost them. After a crash a job may run again without a check. Such a kind
// accepts no files: its Schema is nil.
//
// The payload in the queue is the params, under the key "<tenant>/<key>". Equal params under one
// key are one job while they wait. Do not use it for a kind with unfinished tasks.
func Track(tracked bool) Option { return func(k *Kind) { k.Untracked = !tracked } }
