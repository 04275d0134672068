package worker_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/worker"
)

// Errors of a database driver, say.
var (
	errDuplicate = errors.New("duplicate key")
	errBusy      = errors.New("too many connections")
)

// meaning is what the errors of a driver mean, for all kinds that use it.
func meaning(err error) error {
	switch {
	case errors.Is(err, errDuplicate):
		return worker.Fail("EXISTS", "is there already").Column("State")
	case errors.Is(err, errBusy):
		return worker.Snooze(10 * time.Second)
	}
	return err
}

// The errors of a driver get their meaning in one place.
func ExampleClassify() {
	var next error
	insert := worker.Define("orders.insert", func(context.Context, *worker.Job[order]) error {
		return fmt.Errorf("insert: %w", next)
	}, worker.Classify(meaning))

	for _, next = range []error{errDuplicate, errBusy, errors.New("boom"), worker.NoRetry(errBusy)} {
		err := insert.Kind().Run(context.Background(), calls("o1", "new")...)
		v := insert.Kind().Judge(context.Background(), err, nil)
		fmt.Println(v.Kind, v.Delay)
	}
	fmt.Println(insert.Call(context.Background(), order{"new"}))
	// Output:
	// failed 0s
	// snooze 10s
	// retry 0s
	// dead 0s
	// insert: too many connections
}

// Errors are instructions; each keeps its cause.
func ExampleSnooze() {
	boom := errors.New("the shop does not answer")
	for _, err := range []error{
		nil,
		worker.Fail("BRAND_UNKNOWN", "brand %s does not exist", "Acne").Column("Brand"),
		boom,
		worker.RetryAfter(time.Minute, boom),
		worker.NoRetry(boom),
		worker.Snooze(30 * time.Second),
	} {
		v := worker.Judge(context.Background(), err, nil)
		fmt.Println(v.Kind, v.Delay, errors.Is(err, boom))
	}
	// Output:
	// finish 0s false
	// failed 0s false
	// retry 0s true
	// retry 1m0s true
	// dead 0s true
	// snooze 30s false
}

// A domain package says what is wrong without importing Rollcall.
type soldOut struct{ sku string }

func (e soldOut) Error() string      { return e.sku + " is sold out" }
func (soldOut) BusinessCode() string { return "SOLD_OUT" }

// An error with a method BusinessCode is a business failure.
func ExampleJudge() {
	err := fmt.Errorf("order 7: %w", soldOut{"anvil"})
	v := worker.Judge(context.Background(), err, nil)
	fmt.Println(v.Kind, v.Failure.Code, v.Failure.Message)
	// Output: failed SOLD_OUT anvil is sold out
}

// What a handler tells of its job, and the fence for a store of its own.
func ExampleCall_Note() {
	pick := worker.Define("orders.pick", func(_ context.Context, job *worker.Job[order]) error {
		job.Note("warehouse chosen", "id", 7)
		token, seq := job.Fence()
		return job.Result(map[string]int64{"token": token, "seq": seq})
	})
	job := &worker.Call{ID: "t.1", Params: []byte(`{}`), Token: 4, Seq: 12}
	fmt.Println(pick.Kind().Run(context.Background(), job))
	fmt.Println(job.Notes(), string(job.Kept()))
	// Output:
	// <nil>
	// [warehouse chosen id=7] {"seq":12,"token":4}
}

// A card is charged once, however often the job runs.
func ExampleCall_Once() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // nothing of it is kept
	shop, err := ledger.Open(context.Background(), filepath.Join(dir, "shop.db"), ledger.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = shop.Close() }()
	shop.Write.Exec(worker.OnceTable())

	charge := worker.Define("orders.charge", func(ctx context.Context, job *worker.Job[order]) error {
		return shop.Write.Transaction(func(tx ledger.Gorm) error {
			first, err := job.Once(ctx, tx, "charge")
			if err != nil || !first {
				return err
			}
			fmt.Println("charged")
			return nil
		})
	})
	for range 3 { // as after crashes
		fmt.Println(charge.Kind().Run(context.Background(), calls("o1", "new")...))
	}
	// Output:
	// charged
	// <nil>
	// <nil>
	// <nil>
}
