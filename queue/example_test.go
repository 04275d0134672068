package queue_test

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/queue"
)

// Two payloads of one key run in the order of their scores.
func Example() {
	server, err := miniredis.Run() // any Redis does
	if err != nil {
		panic(err)
	}
	defer server.Close()
	rdb := redis.NewClient(&redis.Options{Addr: server.Addr()})
	defer rdb.Close()
	ctx := context.Background()

	client := queue.NewClient(rdb, queue.ClientOptions{Queues: []queue.Spec{{Name: "mail"}}})
	err = client.Push(ctx,
		queue.Job{Queue: "mail", Key: "order:42", Payload: []byte("shipped"), Score: 2},
		queue.Job{Queue: "mail", Key: "order:42", Payload: []byte("paid"), Score: 1},
	)
	if err != nil {
		panic(err)
	}

	done := make(chan struct{})
	node := queue.NewServer(rdb, queue.ServerOptions{}, queue.Worker{
		Queue: "mail",
		Handle: func(_ context.Context, b *queue.Batch) error {
			for key, deliveries := range b.Keys() {
				for _, d := range deliveries {
					fmt.Println(key, string(d.Payload))
				}
			}
			close(done)
			return nil
		},
	})
	if err := node.Start(ctx); err != nil {
		panic(err)
	}
	defer node.Stop()
	<-done

	// Output:
	// order:42 paid
	// order:42 shipped
}

// A middleware sees a batch before and after its handler.
func ExampleChain() {
	trace := func(name string) queue.Middleware {
		return func(next queue.Handler) queue.Handler {
			return func(ctx context.Context, b *queue.Batch) error {
				fmt.Println(name, "before")
				err := next(ctx, b)
				fmt.Println(name, "after")
				return err
			}
		}
	}
	work := func(context.Context, *queue.Batch) error {
		fmt.Println("work")
		return nil
	}
	h := queue.Chain(work, trace("outer"), trace("inner"))
	if err := h(context.Background(), &queue.Batch{}); err != nil {
		panic(err)
	}

	// Output:
	// outer before
	// inner before
	// work
	// inner after
	// outer after
}

// Each payload has its own end: here one is done, one is not worth another try and lies
// in the morgue, from where an operator takes it up again.
func ExampleDelivery_Resolve() {
	server, err := miniredis.Run() // any Redis does
	if err != nil {
		panic(err)
	}
	defer server.Close()
	rdb := redis.NewClient(&redis.Options{Addr: server.Addr()})
	defer rdb.Close()
	ctx := context.Background()

	var mended atomic.Bool
	runs := make(chan string)
	node := queue.NewServer(rdb, queue.ServerOptions{}, queue.Worker{
		Queue: "mail", Shards: 1,
		Handle: func(_ context.Context, b *queue.Batch) error {
			for _, d := range b.Deliveries {
				if string(d.Payload) == "no address" && !mended.Load() {
					d.Resolve(queue.Outcome{Kind: queue.Dead, Err: "nobody to send it to"})
				}
				runs <- string(d.Payload)
			}
			return nil
		},
		Exhausted: func(_ context.Context, dead []queue.DeadJob) {
			mended.Store(true)
			runs <- "dead: " + dead[0].Err
		},
	})
	if err := node.Start(ctx); err != nil {
		panic(err)
	}
	defer node.Stop()
	client := queue.NewClient(rdb, queue.ClientOptions{Queues: []queue.Spec{{Name: "mail", Shards: 1}}})
	push := func(text string) {
		if err := client.Push(ctx, queue.Job{Queue: "mail", Key: text, Payload: []byte(text)}); err != nil {
			panic(err)
		}
	}
	push("hello")
	fmt.Println(<-runs)
	push("no address")
	fmt.Println(<-runs)
	fmt.Println(<-runs)
	n, err := client.Admin().RequeueAllMorgue(ctx, "mail")
	fmt.Println(n, err)
	fmt.Println(<-runs)

	// Output:
	// hello
	// no address
	// dead: nobody to send it to
	// 1 <nil>
	// no address
}
