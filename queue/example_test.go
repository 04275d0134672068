package queue_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

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
	rdb := redis.NewClient(&redis.Options{Addr: server.Addr(), ContextTimeoutEnabled: true})
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

// Each payload has its own outcome. Here one is done, and one is moved to the morgue, from which an
// operator requeues it.
func ExampleDelivery_Resolve() {
	server, err := miniredis.Run() // any Redis does
	if err != nil {
		panic(err)
	}
	defer server.Close()
	rdb := redis.NewClient(&redis.Options{Addr: server.Addr(), ContextTimeoutEnabled: true})
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

// errStale is the error of a store for a writer whose shard has another owner.
var errStale = errors.New("a later owner has written")

// balances is a store with fencing: for each key it keeps the greatest token that has written, and
// refuses smaller ones. A database does it in one statement, such as:
//
//	UPDATE balances SET value = $1, token = $2 WHERE key = $3 AND token <= $2
type balances struct {
	mu     sync.Mutex
	values map[string]string
	tokens map[string]int64
}

func (s *balances) set(key, value string, token int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if token < s.tokens[key] {
		return errStale
	}
	s.values[key], s.tokens[key] = value, token
	return nil
}

// A handler that was cut off for longer than its lease does not overwrite what the next owner of
// the key has written. NewBatch and Worker.End test it without Redis.
func ExampleDelivery_token() {
	store := &balances{values: map[string]string{}, tokens: map[string]int64{}}
	worker := queue.Worker{Queue: "accounts", Handle: func(_ context.Context, b *queue.Batch) error {
		for _, d := range b.Deliveries {
			err := store.set(d.Key, string(d.Payload), d.Token)
			if errors.Is(err, errStale) {
				return err // another owner has the key; the outcome of this owner no longer counts
			}
		}
		return nil
	}}
	deliver := func(payload string, token int64) {
		d := &queue.Delivery{Key: "account:7", Payload: []byte(payload), Token: token, RetryCount: -1}
		b := queue.NewBatch("accounts", d)
		err := worker.Handle(context.Background(), b)
		worker.End(b, err, time.Now())
		o, _ := d.Outcome()
		fmt.Printf("%s: %s\n", payload, o.Kind)
	}
	deliver("10", 1)
	deliver("30", 2) // the next owner runs the next payload
	deliver("20", 1) // the first owner wakes up
	fmt.Println(store.values["account:7"])

	// Output:
	// 10: done
	// 30: done
	// 20: retry
	// 30
}
