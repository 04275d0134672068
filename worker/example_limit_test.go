package worker_test

import (
	"context"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/worker"
	"github.com/rollcall-dev/rollcall/worker/workertest"
)

// call is a request to a partner.
type call struct {
	Customer string `row:"Customer" validate:"required"`
	Item     string `row:"Item" key:"true"`
}

// send does nothing.
func send(context.Context, *worker.Job[call]) error { return nil }

// Limits of a kind hold for all processes together.
func ExampleAtOnce() {
	orders := worker.Define("orders.send", send,
		worker.Rate(50, time.Second),       // what the partner accepts
		worker.AtOnce(10, worker.ByTenant), // so that no tenant takes it all
		worker.AtOnce(2, "Customer"))       // of each tenant

	t := &printed{}
	defer t.end()
	client := workertest.New(t, worker.NewRegistry(orders)).Client()
	rows := func(yield func(call, error) bool) {
		for i := range 30 {
			if !yield(call{Customer: fmt.Sprint("C", i%3), Item: fmt.Sprint(i)}, nil) {
				return
			}
		}
	}
	task, err := orders.Task(context.Background(), client, "calls", rows)
	if err != nil {
		fmt.Println(err)
		return
	}
	status, err := task.Wait(context.Background())
	fmt.Println(status, err)
	// Output: finished <nil>
}
