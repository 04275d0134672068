package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// Handler is the function that does the work of one job.
type Handler[T any] func(ctx context.Context, job *Job[T]) error

// Definition is a kind of job, from Define, DefineBatch or DefineTx.
type Definition[T any] struct {
	kind    jobs.Kind
	use     []Middleware
	schema  *rowschema.Schema
	handler Handler[T]
	batch   BatchHandler[T] // instead of handler
}

var kindName = regexp.MustCompile(`^[a-z0-9]+([._-][a-z0-9]+)*$`)

// Define makes a kind of job. Its name, such as products.import, also names the queue. Define panics if h is
// nil, or name, tags or options are invalid.
func Define[T any](name string, h Handler[T], opts ...Option) *Definition[T] {
	d := &Definition[T]{handler: h}
	d.define(name, h == nil, opts)
	return d
}

// define sets the defaults of the kind, applies the options, and checks them. If `missing` is true, the
// kind has no handler, and the method panics.
func (d *Definition[T]) define(name string, missing bool, opts []Option) {
	d.schema = rowschema.Of[T]()
	s := spec{Kind: jobs.Kind{
		Name: name, Schema: d.schema, Shards: 5, Weight: 1, MaxRetries: 25, BatchSize: 1,
		Batch: d.batch != nil, Draft: d.anyDraft,
	}}
	if d.schema != nil {
		s.Check, s.Cast = d.check, d.cast
	}
	d.kind, d.use = s.with(missing, opts)
	run := d.run
	if d.batch != nil {
		run = d.runBatch
	}
	d.kind.Run = public(wrap(run, d.use))
}

// Call validates args and calls handler and middlewares. It records nothing.
func (d *Definition[T]) Call(ctx context.Context, args T) (Result, error) {
	if d.schema != nil {
		if f := d.schema.Check(&args); len(f) > 0 {
			return nil, failureOf(rowschema.Invalid(f))
		}
	}
	if d.kind.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, d.kind.Timeout)
		defer cancel()
	}
	run := wrap(func(ctx context.Context, calls ...*Call) error {
		job := &Job[T]{Call: calls[0], Args: args}
		if d.batch == nil {
			return d.handler(ctx, job)
		}
		return d.batch(ctx, &Batch[T]{jobs: []*Job[T]{job}})
	}, d.use)
	call := &Call{Kind: d.kind.Name}
	err := run(ctx, call)
	return Result(call.state().Kept()), d.kind.Classified(call.Outcome(err))
}

// run runs the last of the given jobs, which supersedes the others. Only a kind with Latest gets
// several jobs.
func (d *Definition[T]) run(ctx context.Context, calls ...*Call) error {
	newest := calls[len(calls)-1]
	for _, c := range calls[:len(calls)-1] {
		c.state().Supersede(newest.state())
	}
	job := &Job[T]{Call: newest}
	if err := d.decode(newest.Params, &job.Args); err != nil {
		return err
	}
	return d.handler(ctx, job)
}

// decode parses params into args. If the params break a rule, it returns a *Failure. This can happen if the
// rules of the struct have changed since the job was added.
func (d *Definition[T]) decode(params json.RawMessage, args *T) error {
	if d.schema == nil {
		return json.Unmarshal(params, args)
	}
	faults, err := d.schema.ParseParams(args, params)
	if err != nil {
		return fmt.Errorf("worker: params of %s: %w", d.kind.Name, err)
	}
	if len(faults) > 0 {
		return failureOf(rowschema.Invalid(faults))
	}
	return nil
}

func (d *Definition[T]) check(cells func(*rowschema.Field) string) (key string, faults []events.Field) {
	var args T
	faults = d.schema.Parse(&args, cells)
	return d.schema.KeyIn(&args, cells), faults
}

func (d *Definition[T]) cast(params json.RawMessage) map[string]any {
	var args T
	return d.schema.Cast(&args, params)
}

// anyDraft converts args, whose type must be T, to a draft of a row.
func (d *Definition[T]) anyDraft(args any) (events.Draft, error) { return d.draft(args.(T), nil) }

// cells returns the texts of arguments, by column.
func (d *Definition[T]) cells(args T) (map[string]string, error) {
	cells, err := d.schema.Cells(reflect.ValueOf(&args).Elem())
	if err != nil {
		return nil, fmt.Errorf("worker: %s: %w", d.kind.Name, err)
	}
	return cells, nil
}
