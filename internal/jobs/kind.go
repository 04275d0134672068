package jobs

import (
	"context"
	"encoding/json"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/cron"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/queue"
)

// FeedTopic is the queue topic that wakes the feeders when rows wait to be fed.
const FeedTopic = "feed"

// Kind is a definition of package worker without the type of its arguments. Its fields are the
// options of the definition.
type Kind struct {
	// Name names the kind, its queue and its metrics.
	Name string

	// Schema describes the rows; nil if the arguments have no row tags.
	Schema *rowschema.Schema

	// Shards is the number of shards of the queue.
	Shards int

	// BatchSize is how many keys a batch may have. A batch has up to 500 jobs of each of its keys.
	BatchSize int

	// Latest passes only the newest waiting job of a key to the handler.
	Latest bool

	// Unordered lets an older row of a key run after a newer one has finished.
	Unordered bool

	// StopKey ends jobs without a run if an older job of their key is in error.
	StopKey bool

	// Batch reports whether Run takes jobs of several keys in one call.
	Batch bool

	// Tx makes jobs run in transactions of the ledger.
	Tx bool

	// Untracked reports whether the ledger has no record of the jobs.
	Untracked bool

	// Private hides the kind from the API operation that lists kinds, and the params of its rows from users. Users cannot
	// change its rows.
	Private bool

	// Hidden masks the values of all columns. It is set for a kind whose columns are unknown, if the
	// caller may not see sensitive values.
	Hidden bool

	// MaxRetries is how often a job is retried after a system fault; 0 means never.
	MaxRetries int

	// RetryIn returns the pause before the n-th retry, counted from 0. Nil means the pause of the
	// queue.
	RetryIn func(n int) time.Duration

	// Weight is the weight with which a node fetches from the queue, relative to its other queues; at least
	// 1.
	Weight int

	// Hours is the part of the day in which rows are fed. The zero value is the whole day.
	Hours cron.Hours

	// Timeout is the longest time for one run; 0 means no limit.
	Timeout time.Duration

	// Limits bound how many jobs run at once or start within a time, over all processes.
	Limits []Limit

	// Unique is the time for which an unfinished job with equal arguments is returned instead of a new
	// one; 0 disables this.
	Unique time.Duration

	// Around holds the middlewares around the handler.
	Around []queue.Middleware

	// Classify converts an error of the handler that is no business failure and no interruption, and has
	// no outcome of WithOutcome. If Classify is nil, such an error is a system fault.
	Classify func(error) error

	// Texts holds the messages that the option Messages sets, by language and code.
	Texts map[string]map[string]string

	// OnDone, OnFirstFailure and OnExhausted are callbacks of the program. Nil disables a callback.
	OnDone         func(ctx context.Context, t TaskDone) error
	OnFirstFailure func(ctx context.Context, t TaskDone) error
	OnExhausted    func(ctx context.Context, dead []DeadJob)

	// Export describes the files of the kind; nil if the kind makes none. If Export is set, Schema
	// is nil.
	Export *Export

	// Check validates the cells of a row. The function `cells` returns the text of a field's cell.
	// Check returns the text of the key field and all faults. Check is nil if Schema is nil.
	Check func(cells func(*rowschema.Field) string) (key string, faults []events.Field)

	// Cast returns the values of a row's params by field: texts, numbers, booleans, and times as text. Cast
	// is nil if Schema is nil.
	Cast func(params json.RawMessage) map[string]any

	// Draft converts arguments, which have the type of the definition, to a row of the ledger.
	// Draft is nil for exports.
	Draft func(args any) (events.Draft, error)

	// Run runs the jobs of one call of the handler. Jobs of a key are adjacent, the oldest first. A call
	// has one job, unless the option Latest or Batch is true. With Latest, it has the jobs of one key, and
	// with Batch those of several keys. An error applies to each job for which neither Call.Resolve nor
	// Call.Supersede was called.
	Run Runner

	headings map[string]string // headings of columns in the messages, by column; nil: the columns' own names
}

// Runner is a function that runs the jobs of one call of a handler.
type Runner func(ctx context.Context, calls ...*Call) error
