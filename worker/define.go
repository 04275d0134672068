package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/queue"
)

// Handler does the work of one job. Package middleware describes the effect of its error.
type Handler[T any] func(ctx context.Context, job *Job[T]) error

// Definition is a kind of job. Make it with Define, DefineBatch or DefineTx.
type Definition[T any] struct {
	kind    Kind
	schema  *Schema
	handler Handler[T]
	batch   BatchHandler[T] // instead of handler
}

// Kind is a definition without its type, for the other packages of Rollcall.
type Kind struct {
	// Name names the kind, its queue and its metrics: lower case words joined
	// by dots, such as "products.import"; at most 100 bytes.
	Name string

	// Schema describes the rows; nil if the arguments have no row tags.
	Schema *Schema

	// Shards is the number of shards of the queue. Default 5.
	Shards int

	// BatchSize is how many keys are fetched at once, each with all its jobs. A BatchHandler gets
	// them in one call, a Handler one job after another. Default 1.
	BatchSize int

	// Latest passes only the newest job of a key to the handler: see the option.
	Latest bool

	// Unordered lets an older row of a key run after a newer one has finished: see the option.
	Unordered bool

	// Batch reports whether Run takes jobs of several keys in one call.
	Batch bool

	// Tx makes jobs run in transactions of the ledger: see DefineTx.
	Tx bool

	// Untracked keeps no record of the jobs: see the option Track.
	Untracked bool

	// MaxRetries is how often a system fault is retried; 0 means never. Default 25.
	MaxRetries int

	// RetryIn returns the pause before the n-th retry, n from 0. Nil means n⁴ + 15 + rand(30)·(n+1)
	// seconds, as in the queue.
	RetryIn func(n int) time.Duration

	// Timeout bounds one run; 0 means no bound. Default 0.
	Timeout time.Duration

	// Unique is the window of the option Unique. Default 0.
	Unique time.Duration

	// Around wraps the handler in the queue: see Registry.Use.
	Around []queue.Middleware

	// Use wraps Run, and the handler in Definition.Call: see the option.
	Use []Middleware

	// Classify classifies errors without a known meaning: see the option. With nil they are system
	// faults.
	Classify func(error) error

	// Texts are the texts of the option Messages, by language and code.
	Texts map[string]map[string]string

	// OnDone, OnFirstFailure and OnExhausted are the callbacks of tasks: see the options of these
	// names. Nil disables a callback.
	OnDone         func(ctx context.Context, t TaskDone) error
	OnFirstFailure func(ctx context.Context, t TaskDone) error
	OnExhausted    func(ctx context.Context, dead []DeadJob)

	// Export describes how files are made; nil if the kind makes none. With Export, Schema is nil.
	Export *Export

	// Check validates the cells of one row, given by field. It returns the text of the key field
	// and all faults. Nil without Schema.
	Check func(cells func(*Field) string) (key string, faults []events.Field)

	// Cast returns the values that the handler would get for a row's params, by field: texts,
	// numbers, booleans, and times as text. It leaves out empty and faulty fields. Nil without
	// Schema.
	Cast func(params json.RawMessage) map[string]any

	// Run runs the jobs of one call of the handler, the jobs of a key adjacent, oldest first. A
	// call has one job; with Latest, the jobs of one key; with Batch, of several keys. Its error
	// applies to the unresolved calls.
	Run Runner
}

var kindName = regexp.MustCompile(`^[a-z0-9]+([._-][a-z0-9]+)*$`)

// Define makes a kind of job from a function. It panics if the name, the tags of T or an option is
// wrong, so that a mistake shows at start.
func Define[T any](name string, h Handler[T], opts ...Option) *Definition[T] {
	d := &Definition[T]{handler: h, schema: schemaOf[T]()}
	d.kind = Kind{Run: d.run}
	d.define(name, h == nil, opts)
	return d
}

// define sets the defaults and the options, and checks them.
func (d *Definition[T]) define(name string, missing bool, opts []Option) {
	k := &d.kind
	k.Name, k.Schema, k.Shards, k.MaxRetries, k.BatchSize = name, d.schema, 5, 25, 1
	if d.schema != nil {
		k.Check, k.Cast = d.check, d.cast
	}
	for _, o := range opts {
		o(k)
	}
	k.Run = k.wrap(k.Run)
	k.mustSpeak()
	if k.Untracked { // files need tasks, so an untracked kind has no columns
		k.Schema, k.Check, k.Cast = nil, nil, nil
	}
	switch {
	case !kindName.MatchString(name) || len(name) > 100:
		panic(fmt.Sprintf("worker: %q is no name for a kind: want words like products.import", name))
	case missing:
		panic(fmt.Sprintf("worker: %s has no handler", name))
	case k.Unique < 0 || k.Untracked && k.Unique > 0:
		panic(fmt.Sprintf("worker: %s: a window of Unique is positive, and needs a kind that is tracked", name))
	case k.Tx && k.Untracked:
		panic(fmt.Sprintf("worker: %s: a kind that writes in the ledger's transaction is tracked", name))
	case k.Shards < 1 || k.BatchSize < 1 || k.MaxRetries < 0 || k.Timeout < 0:
		panic(fmt.Sprintf("worker: %s: shards, batch size, retries and timeout must not be negative", name))
	}
}

// Kind returns the definition as a Kind.
func (d *Definition[T]) Kind() Kind { return d.kind }

// Call does the work at once, with the same validation, timeout, middlewares, handler and
// classifier, but without a queue and without a record.
func (d *Definition[T]) Call(ctx context.Context, args T) error {
	if d.schema != nil {
		if f := d.schema.check(&args); len(f) > 0 {
			return invalid(f)
		}
	}
	if d.kind.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, d.kind.Timeout)
		defer cancel()
	}
	run := d.kind.wrap(func(ctx context.Context, calls ...*Call) error {
		job := &Job[T]{Call: calls[0], Args: args}
		if d.batch == nil {
			return d.handler(ctx, job)
		}
		return d.batch(ctx, &Batch[T]{jobs: []*Job[T]{job}})
	})
	call := &Call{Kind: d.kind.Name}
	err := run(ctx, call)
	return d.kind.classified(call.Outcome(err))
}

// run runs a job or, with Latest, the newest of several.
func (d *Definition[T]) run(ctx context.Context, calls ...*Call) error {
	newest := calls[len(calls)-1]
	for _, c := range calls[:len(calls)-1] {
		c.supersede(newest)
	}
	job := &Job[T]{Call: newest}
	if err := d.decode(newest.Params, &job.Args); err != nil {
		return err
	}
	return d.handler(ctx, job)
}

// decode parses params into arguments. A row that breaks a rule is a business failure: it may have
// been valid under an earlier version of the struct.
func (d *Definition[T]) decode(params json.RawMessage, args *T) error {
	if d.schema == nil {
		return json.Unmarshal(params, args)
	}
	cells, err := d.schema.texts(params)
	if err != nil {
		return fmt.Errorf("worker: params of %s: %w", d.kind.Name, err)
	}
	faults := d.schema.parse(args, func(f *Field) string { return cells[f.at] })
	if len(faults) > 0 {
		return invalid(faults)
	}
	return nil
}

func (d *Definition[T]) check(cells func(*Field) string) (key string, faults []events.Field) {
	var args T
	faults = d.schema.parse(&args, cells)
	for i := range d.schema.Fields {
		if f := &d.schema.Fields[i]; f.Key {
			key = f.key(reflect.ValueOf(&args).Elem().FieldByIndex(f.index), cells(f))
		}
	}
	return key, faults
}
