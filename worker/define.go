package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"time"

	"github.com/rollcall-dev/rollcall/events"
)

// Handler does the work of one job. See package middleware for what becomes
// of its error.
type Handler[T any] func(ctx context.Context, job *Job[T]) error

// Definition is a kind of job. Make it with Define.
type Definition[T any] struct {
	kind    Kind
	schema  *Schema
	handler Handler[T]
}

// Kind is what the rest of Rollcall knows of a definition, whatever its type.
type Kind struct {
	// Name names the kind, its queue and its metrics: lower case words joined
	// by dots, such as "products.import"; at most 100 bytes.
	Name string

	// Schema describes the rows; nil if the arguments have no row tags.
	Schema *Schema

	// Shards is how many parts the queue has. Default 5.
	Shards int

	// MaxRetries is how often a system fault is retried; 0 is never.
	// Default 25.
	MaxRetries int

	// RetryIn is how long the n-th retry waits, n from 0. Nil: the queue's
	// n⁴ + 15 + rand(30)·(n+1) seconds.
	RetryIn func(n int) time.Duration

	// Timeout bounds one run; 0 means no bound. Default 0.
	Timeout time.Duration

	// Check validates the cells of one row, given by field, and returns the
	// text of the key field and every fault. Nil without Schema.
	Check func(cells func(*Field) string) (key string, faults []events.Field)

	// Run runs one job.
	Run func(ctx context.Context, call *Call) error
}

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

var kindName = regexp.MustCompile(`^[a-z0-9]+([._-][a-z0-9]+)*$`)

// Define makes a kind of job from a function. It panics if the name, the tags
// of T or an option is wrong, so that a mistake shows at start.
func Define[T any](name string, h Handler[T], opts ...Option) *Definition[T] {
	d := &Definition[T]{handler: h, schema: schemaOf[T]()}
	d.kind = Kind{Name: name, Schema: d.schema, Shards: 5, MaxRetries: 25, Run: d.run}
	if d.schema != nil {
		d.kind.Check = d.check
	}
	for _, o := range opts {
		o(&d.kind)
	}
	switch k := d.kind; {
	case !kindName.MatchString(name) || len(name) > 100:
		panic(fmt.Sprintf("worker: %q is no name for a kind: want words like products.import", name))
	case h == nil:
		panic(fmt.Sprintf("worker: %s has no handler", name))
	case k.Shards < 1 || k.MaxRetries < 0 || k.Timeout < 0:
		panic(fmt.Sprintf("worker: %s: shards, retries and timeout must not be negative", name))
	}
	return d
}

// Kind tells what the definition is.
func (d *Definition[T]) Kind() Kind { return d.kind }

// Call does the work here and now: the same validation and the same handler,
// no queue and no record.
func (d *Definition[T]) Call(ctx context.Context, args T) error {
	call := &Call{Kind: d.kind.Name}
	if d.schema != nil {
		if f := d.schema.check(&args); len(f) > 0 {
			return invalid(f)
		}
	}
	return d.handler(ctx, &Job[T]{Call: call, Args: args})
}

func (d *Definition[T]) run(ctx context.Context, call *Call) error {
	job := &Job[T]{Call: call}
	if err := d.decode(call.Params, &job.Args); err != nil {
		return err
	}
	return d.handler(ctx, job)
}

// decode turns params into arguments. A row that breaks a rule is a business
// failure: it may have been valid under an earlier version of the struct.
func (d *Definition[T]) decode(params json.RawMessage, args *T) error {
	if d.schema == nil {
		return json.Unmarshal(params, args)
	}
	cells := map[string]string{}
	if err := json.Unmarshal(params, &cells); err != nil {
		return fmt.Errorf("worker: params of %s: %w", d.kind.Name, err)
	}
	faults := d.schema.parse(args, func(f *Field) string { return cells[f.Name] })
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
