package worker_test

import (
	"context"
	"fmt"

	"github.com/rollcall-dev/rollcall/worker"
	"github.com/rollcall-dev/rollcall/worker/workertest"
)

// cityKey is the context key of a tenant's city.
type cityKey struct{}

// cityOf adds the tenant's city to the context of each handler.
func cityOf(next worker.Runner) worker.Runner {
	cities := map[string]string{"acme": "Turin", "": "Rome"}
	return func(ctx context.Context, calls ...*worker.Call) error {
		home, ok := cities[calls[0].Tenant]
		if !ok {
			return worker.Fail("NO_CITY", "%s has no city", calls[0].Tenant)
		}
		return next(context.WithValue(ctx, cityKey{}, home), calls...)
	}
}

// A middleware wraps each handler.
func ExampleUse() {
	logged := func(next worker.Runner) worker.Runner {
		return func(ctx context.Context, calls ...*worker.Call) error {
			err := next(ctx, calls...)
			fmt.Printf("%q ends with %v\n", calls[0].Tenant, err)
			return err
		}
	}
	ship := worker.Define("orders.ship", func(ctx context.Context, job *worker.Job[order]) error {
		fmt.Println("ship", job.Args.State, "from", ctx.Value(cityKey{}))
		return nil
	}, worker.Use(logged, cityOf))

	for _, tenant := range []string{"acme", "globex"} {
		workertest.Run(&printed{}, ship, order{"paid"}, func(s *workertest.Setup) { s.Tenant = tenant })
	}
	_, err := ship.Call(context.Background(), order{"now"})
	fmt.Println(err)
	// Output:
	// ship paid from Turin
	// "acme" ends with <nil>
	// "globex" ends with NO_CITY: globex has no city
	// ship now from Rome
	// "" ends with <nil>
	// <nil>
}
