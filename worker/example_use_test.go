package worker_test

import (
	"context"
	"fmt"

	"github.com/rollcall-dev/rollcall/worker"
)

// cityKey is where the middleware of the example keeps what it found out.
type cityKey struct{}

// What every handler needs is found out around it.
func ExampleUse() {
	cities := map[string]string{"acme": "Turin", "": "Rome"}
	city := func(next worker.Runner) worker.Runner {
		return func(ctx context.Context, calls ...*worker.Call) error {
			home, ok := cities[calls[0].Tenant]
			if !ok {
				return worker.Fail("NO_CITY", "%s has no city", calls[0].Tenant)
			}
			return next(context.WithValue(ctx, cityKey{}, home), calls...)
		}
	}
	told := func(next worker.Runner) worker.Runner {
		return func(ctx context.Context, calls ...*worker.Call) error {
			err := next(ctx, calls...)
			fmt.Printf("%q ends with %v\n", calls[0].Tenant, err)
			return err
		}
	}
	ship := worker.Define("orders.ship", func(ctx context.Context, job *worker.Job[order]) error {
		fmt.Println("ship", job.Args.State, "from", ctx.Value(cityKey{}))
		return nil
	}, worker.Use(told, city))

	for _, tenant := range []string{"acme", "globex"} {
		job := calls("o1", "paid")
		job[0].Tenant = tenant
		_ = ship.Kind().Run(context.Background(), job...) // told has told
	}
	fmt.Println(ship.Call(context.Background(), order{"here and now"}))
	// Output:
	// ship paid from Turin
	// "acme" ends with <nil>
	// "globex" ends with NO_CITY: globex has no city
	// ship here and now from Rome
	// "" ends with <nil>
	// <nil>
}
