package worker_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/worker"
	"github.com/rollcall-dev/rollcall/worker/workertest"
)

// The service calls a kind when a task is done, when its first row fails, and when a job has no
// retries left.
func ExampleOnDone() {
	t := &printed{} // the *testing.T of a test
	defer t.end()
	done, exhausted := make(chan bool), make(chan bool)
	imports := worker.Define("products.import", func(context.Context, *worker.Job[product]) error {
		return worker.NoRetry(errors.New("the shop does not answer"))
	},
		worker.OnDone(func(_ context.Context, t worker.TaskDone) error {
			fmt.Printf("%s is %s: %d of %d\n", t.Name, t.Status, t.Counts.Error, t.Counts.Total)
			close(done)
			return nil // after an error it is called again, for three days; t.ID identifies a repeat
		}),
		worker.OnExhausted(func(_ context.Context, dead []worker.DeadJob) {
			fmt.Printf("row %d is given up after %d attempt: %s\n", dead[0].Row, dead[0].Attempt, dead[0].Err)
			close(exhausted)
		}))

	h := workertest.New(t, worker.NewRegistry(imports))
	h.ImportText("products.import", "SKU,Price\na1,12.50\n")
	<-done // either is called first
	<-exhausted
	// Unordered output:
	// row 2 is given up after 1 attempt: the shop does not answer
	// test.csv is failed: 1 of 1
}
