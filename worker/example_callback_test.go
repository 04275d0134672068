package worker_test

import (
	"context"
	"fmt"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// A kind is told when a task of it is done, when its first row fails, and which
// jobs are given up. Rollcall calls the functions after the commit; here, the
// example does.
func ExampleOnDone() {
	imports := worker.Define("products.import", noop[product],
		worker.OnDone(func(_ context.Context, t worker.TaskDone) error {
			fmt.Printf("%s is %s: %d of %d\n", t.Name, t.Status, t.Counts.Finish, t.Counts.Total)
			return nil // an error is tried again, for three days; t.ID tells a repeat
		}),
		worker.OnFirstFailure(func(_ context.Context, t worker.TaskDone) error {
			fmt.Printf("%s has a bad row\n", t.Name)
			return nil
		}),
		worker.OnExhausted(func(_ context.Context, dead []worker.DeadJob) {
			for _, d := range dead {
				fmt.Printf("row %d is given up after %d attempts: %s\n", d.Row, d.Attempt, d.Message)
			}
		}))

	kind, ctx := imports.Kind(), context.Background()
	spring := worker.TaskDone{
		Name: "spring.xlsx", Status: tasks.FinishedWithFailures, Counts: worker.Counts{Total: 9, Finish: 8, Error: 1},
	}
	fmt.Println(kind.OnFirstFailure(ctx, spring))
	kind.OnExhausted(ctx, []worker.DeadJob{{Row: 7, Attempt: 26, Message: "the shop does not answer"}})
	fmt.Println(kind.OnDone(ctx, spring))
	// Output:
	// spring.xlsx has a bad row
	// <nil>
	// row 7 is given up after 26 attempts: the shop does not answer
	// spring.xlsx is finished_with_failures: 8 of 9
	// <nil>
}
