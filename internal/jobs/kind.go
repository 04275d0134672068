package jobs

import (
	"context"
	"encoding/json"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/queue"
)

// FeedTopic is the topic that is notified when rows wait to be fed.
const FeedTopic = "feed"

// Kind is a definition of package worker without its type. Its fields are the options there.
type Kind struct {
	// Name names the kind, its queue and its metrics.
	Name string

	// Schema describes the rows; nil if the arguments have no row tags.
	Schema *rowschema.Schema

	// Shards is the number of shards of the queue.
	Shards int

	// BatchSize is the most keys of one batch, each with all its jobs.
	BatchSize int

	// Latest passes only the newest job of a key to the handler.
	Latest bool

	// Unordered lets an older row of a key run after a newer one has finished.
	Unordered bool

	// StopKey stops a key at a job that died: later jobs of the key end without a run.
	StopKey bool

	// Batch reports whether Run takes jobs of several keys in one call.
	Batch bool

	// Tx makes jobs run in transactions of the ledger.
	Tx bool

	// Untracked keeps no record of the jobs.
	Untracked bool

	// MaxRetries is how often a system fault is retried; 0 means never.
	MaxRetries int

	// RetryIn returns the pause before the n-th retry, n from 0. Nil means the pause of the queue.
	RetryIn func(n int) time.Duration

	// Weight is the share of the queue in the jobs that a node fetches, at least 1.
	Weight int

	// Timeout bounds one run; 0 means no bound.
	Timeout time.Duration

	// Unique is the window of the option Unique.
	Unique time.Duration

	// Around wraps the handler in the queue: see jobs.Registry.Use.
	Around []queue.Middleware

	// Classify classifies errors without a known meaning. With nil they are system faults.
	Classify func(error) error

	// Texts are the texts of the option Messages, by language and code.
	Texts map[string]map[string]string

	// OnDone, OnFirstFailure and OnExhausted are the callbacks of tasks. Nil disables a callback.
	OnDone         func(ctx context.Context, t TaskDone) error
	OnFirstFailure func(ctx context.Context, t TaskDone) error
	OnExhausted    func(ctx context.Context, dead []DeadJob)

	// Export describes the files of the kind; nil if the kind makes none. With Export, Schema is nil.
	Export *Export

	// Check validates the cells of one row, given by field. It returns the text of the key field
	// and all faults. Nil without Schema.
	Check func(cells func(*rowschema.Field) string) (key string, faults []events.Field)

	// Cast returns the values of a row's params in the types of the handler, by field: see
	// rowschema.Schema.Cast. Nil without Schema.
	Cast func(params json.RawMessage) map[string]any

	// Draft returns arguments, of the type of the definition, as a row of the ledger. Nil for exports.
	Draft func(args any) (events.Draft, error)

	// Run runs the jobs of one call of the handler, the jobs of a key adjacent, oldest first. A
	// call has one job; with Latest, the jobs of one key; with Batch, of several keys. Its error
	// applies to the unresolved calls.
	Run Runner
}

// Runner runs the jobs of one call of a handler: see Kind.Run.
type Runner func(ctx context.Context, calls ...*Call) error
