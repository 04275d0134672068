package worker_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/rollcall-dev/rollcall/worker"
	"github.com/rollcall-dev/rollcall/worker/workertest"
)

// printed is a replacement of the *testing.T in examples. It prints the message of a failed test.
type printed struct {
	testing.TB
	ends []func()
}

func (p *printed) Helper()                  {}
func (p *printed) Context() context.Context { return context.Background() }
func (p *printed) Cleanup(f func())         { p.ends = append(p.ends, f) }
func (p *printed) Logf(string, ...any)      {}

func (p *printed) Errorf(format string, args ...any) {
	first, _, _ := strings.Cut(fmt.Sprintf(format, args...), "\n")
	fmt.Println("the test fails:", first)
}

func (p *printed) Error(args ...any)                 { p.Errorf("%s", fmt.Sprint(args...)) }
func (p *printed) Fatal(args ...any)                 { panic(fmt.Sprint(args...)) }
func (p *printed) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

func (p *printed) TempDir() string {
	dir, err := os.MkdirTemp("", "worker")
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() { _ = os.RemoveAll(dir) }) // nothing of it is kept
	return dir
}

// end runs the cleanups of a test.
func (p *printed) end() {
	for len(p.ends) > 0 {
		last := p.ends[len(p.ends)-1]
		p.ends = p.ends[:len(p.ends)-1]
		last()
	}
}

type order struct{ State string }

type product struct {
	SKU   string          `row:"SKU" alias:"code,货号" key:"true" validate:"required,max=4"`
	Price decimal.Decimal `row:"Price" validate:"required,gt=0" code:"PRICE_NOT_POSITIVE"`
	Stock *int64          `row:"Stock" validate:"omitempty,gte=0"`
	Start time.Time       `row:"Start" format:"1/2/2006"`
	Live  bool            `row:"Live"`
	Memo  string
}

func noop[T any](context.Context, *worker.Job[T]) error { return nil }

// The error of the handler decides the end of a row.
func ExampleDefine() {
	imports := worker.Define("products.import",
		func(_ context.Context, job *worker.Job[product]) error {
			if job.Args.SKU == "a9" {
				return worker.Fail("BRAND_UNKNOWN", "brand of %s does not exist", job.Args.SKU).
					Column("Brand").Hint("see the brand list")
			}
			return nil
		}, worker.Shards(24), worker.MaxRetries(5))

	price := decimal.RequireFromString("12.50")
	for _, row := range []product{{SKU: "a1", Price: price}, {SKU: "a9", Price: price}, {SKU: "a1"}} {
		_, err := imports.Call(context.Background(), row)
		fmt.Println(err)
	}
	// Output:
	// <nil>
	// BRAND_UNKNOWN: brand of a9 does not exist
	// PRICE_NOT_POSITIVE: Price must be above zero
}

// syncOrders sends the newest state of each order.
var syncOrders = worker.DefineBatch("orders.sync", func(_ context.Context, b *worker.Batch[order]) error {
	for key, list := range b.Keys() {
		last := list[len(list)-1]
		if last.Args.State == "lost" {
			last.Resolve(worker.Fail("ORDER_UNKNOWN", "order %s does not exist", key))
			continue
		}
		for _, old := range list[:len(list)-1] {
			old.Superseded(last)
		}
	}
	return nil
}, worker.BatchSize(100))

// A batch handler runs many jobs. Each has its own outcome.
func ExampleDefineBatch() {
	t := &printed{} // the *testing.T of a test
	key := func(s *workertest.Setup) { s.Key = "o2" }
	fmt.Println(workertest.Run(t, syncOrders, order{"paid"}, key))
	fmt.Println(workertest.Run(t, syncOrders, order{"lost"}, key).Failure.Message)
	// Output:
	// finish
	// order o2 does not exist
}

// A row may have several failures.
func ExampleFails() {
	err := worker.Fails(
		worker.Fail("BRAND_UNKNOWN", "brand Acne does not exist").Column("Brand"),
		worker.Fail("TOO_CHEAP", "price is below cost").Column("Price"),
		nil, // a check without a fault
	)
	fmt.Println(err)
	for _, f := range err.Fields {
		fmt.Println(f.Column, f.Code)
	}
	// Output:
	// BRAND_UNKNOWN: brand Acne does not exist
	// Brand BRAND_UNKNOWN
	// Price TOO_CHEAP
}

// A job continues where its earlier run ended.
func ExampleCheckpoint() {
	pages := worker.Define("catalog.crawl", func(ctx context.Context, job *worker.Job[order]) error {
		page, again := worker.Checkpoint[int](job)
		fmt.Println("begins at page", page, again)
		for ; page < 3; page++ {
			job.Progress(int64(page), 3, "page %d", page)
			if err := worker.Save(ctx, job, page+1); err != nil {
				return err
			}
		}
		return nil
	})
	out := workertest.Run(&printed{}, pages, order{})
	fmt.Println(out, string(out.Saved), out.Progress[2].Text)
	workertest.Run(&printed{}, pages, order{}, func(s *workertest.Setup) { s.Saved = out.Saved })
	// Output:
	// begins at page 0 false
	// finish 3 page 2
	// begins at page 3 true
}

// The writes of the handler and the end of its job are committed together.
func ExampleDefineTx() {
	pay := worker.DefineTx("orders.pay", func(ctx context.Context, tx worker.Tx, job *worker.Job[order]) error {
		const text = "INSERT INTO payments (job, state) VALUES (@job, @state)"
		_, err := tx.Exec(ctx, text, worker.Args{"job": job.ID, "state": job.Args.State})
		return err
	})
	_, err := pay.Call(context.Background(), order{"paid"})
	fmt.Println(err)
	// Output:
	// worker: orders.pay: the handler has no transaction of the ledger
}

// A handler adds a note to the log of the job, and passes a fencing token to a store.
func ExampleCall_Note() {
	pick := worker.Define("orders.pick", func(_ context.Context, job *worker.Job[order]) error {
		job.Note("warehouse chosen", "id", 7)
		token, seq := job.Fence()
		return job.Result(map[string]int64{"token": token, "seq": seq})
	})
	out := workertest.Run(&printed{}, pick, order{})
	fmt.Println(out.Notes, string(out.Result))
	// Output: [warehouse chosen id=7] {"seq":1,"token":1}
}

// These are errors of a database driver.
var (
	errDuplicate = errors.New("duplicate key")
	errBusy      = errors.New("too many connections")
)

// meaning classifies the errors of a driver, for all kinds that use it.
func meaning(err error) error {
	switch {
	case errors.Is(err, errDuplicate):
		return worker.Fail("EXISTS", "is there already").Column("State")
	case errors.Is(err, errBusy):
		return worker.Snooze(10 * time.Second)
	}
	return err
}

// One function classifies the errors of a driver.
func ExampleClassify() {
	var next error
	insert := worker.Define("orders.insert", func(context.Context, *worker.Job[order]) error {
		return fmt.Errorf("insert: %w", next)
	}, worker.Classify(meaning))

	for _, next = range []error{errDuplicate, errBusy, errors.New("boom"), worker.NoRetry(errBusy)} {
		out := workertest.Run(&printed{}, insert, order{"new"})
		fmt.Println(out.Kind, out.Delay)
	}
	// Output:
	// failed 0s
	// snooze 10s
	// retry 0s
	// dead 0s
}

// The error decides the end of a job, and keeps its cause.
func ExampleSnooze() {
	boom := errors.New("the shop does not answer")
	var next error
	sell := worker.Define("orders.sell", func(context.Context, *worker.Job[order]) error { return next })
	for _, next = range []error{
		nil,
		worker.Fail("BRAND_UNKNOWN", "brand %s does not exist", "Acne").Column("Brand"),
		boom,
		worker.RetryAfter(time.Minute, boom),
		worker.NoRetry(boom),
		worker.Snooze(30 * time.Second),
		worker.Cancel(errors.New("the promotion has ended")),
	} {
		out := workertest.Run(&printed{}, sell, order{"new"})
		fmt.Println(out.Kind, out.Delay, errors.Is(out.Err, boom))
	}
	// Output:
	// finish 0s false
	// failed 0s false
	// retry 0s true
	// retry 1m0s true
	// dead 0s true
	// snooze 30s false
	// failed 0s false
}

// soldOut is the error of a domain package that does not import Rollcall.
type soldOut struct{ sku string }

func (e soldOut) Error() string      { return e.sku + " is sold out" }
func (soldOut) BusinessCode() string { return "SOLD_OUT" }

// An error with the method BusinessCode is a business failure.
func ExampleFailure() {
	sell := worker.Define("orders.sell", func(context.Context, *worker.Job[order]) error {
		return fmt.Errorf("order 7: %w", soldOut{"anvil"})
	})
	out := workertest.Run(&printed{}, sell, order{})
	fmt.Println(out.Kind, out.Failure.Code, out.Failure.Message)
	// Output: failed SOLD_OUT anvil is sold out
}

// A kind has texts in another language, with values and plurals.
func ExampleMessages() {
	sell := worker.Define("tickets.sell", func(context.Context, *worker.Job[order]) error {
		return worker.Fail("TOO_MANY", "%d left", 3).With("left", 3)
	}, worker.Messages("ru", map[string]string{
		"TOO_MANY": "Осталось {left} {left|one=место|few=места|many=мест}",
	}))
	_, err := sell.Call(context.Background(), order{}) // a Russian reader of the row sees: Осталось 3 места
	fmt.Println(err)
	// Output: TOO_MANY: 3 left
}
