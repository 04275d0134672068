package worker_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/worker"
)

type letter struct {
	To   string `row:"To" key:"true" validate:"required,email"`
	Text string `row:"Text" validate:"required"`
}

var sendLetter = worker.Define("letters.send", noop[letter], worker.Unique(10*time.Minute))

// open connects to a ledger and a queue of its own; a program is given them.
func open() (db *ledger.DB, client *worker.Client, end func()) {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	db, err = ledger.Open(context.Background(), filepath.Join(dir, "ledger.db"), ledger.Options{})
	if err != nil {
		log.Fatal(err)
	}
	server, err := miniredis.Run()
	if err != nil {
		log.Fatal(err)
	}
	rdb := redis.NewClient(&redis.Options{Addr: server.Addr(), ContextTimeoutEnabled: true})
	q := queue.NewClient(rdb, queue.ClientOptions{Queues: []queue.Spec{{Name: "letters.send"}}})
	client = worker.NewClient(db, q, worker.NewRegistry(sendLetter), worker.ClientOptions{})
	return db, client, func() {
		_, _, _ = rdb.Close(), db.Close(), os.RemoveAll(dir) // nothing of it is kept
		server.Close()
	}
}

// One job. What is wrong with its arguments is told before anything is added,
// and a kind with Unique has the same job once.
func ExampleDefinition_Enqueue() {
	_, client, end := open()
	defer end()
	ctx := context.Background()

	_, err := sendLetter.Enqueue(ctx, client, letter{To: "nobody"})
	fmt.Println(err)

	first, err := sendLetter.Enqueue(ctx, client, letter{To: "ada@example.com", Text: "Hello"})
	fmt.Println(first.Deduplicated, err)
	second, err := sendLetter.Enqueue(ctx, client, letter{To: "ada@example.com", Text: "Hello"})
	fmt.Println(second.Deduplicated, second.ID == first.ID, err)

	// Output:
	// INVALID_VALUE: To must be an e-mail address
	// false <nil>
	// true true <nil>
}

// The same function, here and now: what the arguments break is told as it would be of a
// row, and nothing is recorded.
func ExampleDefinition_Call() {
	greet := worker.Define("letters.greet", func(_ context.Context, job *worker.Job[letter]) error {
		fmt.Println("Dear", job.Args.To)
		return nil
	})
	fmt.Println(greet.Call(context.Background(), letter{To: "ada@example.com", Text: "Hello"}))
	fmt.Println(greet.Call(context.Background(), letter{To: "ada@example.com"}))

	// Output:
	// Dear ada@example.com
	// <nil>
	// REQUIRED: Text is empty
}

// A job that is to run later, before others of its kind, and found again by its labels.
func ExamplePriority() {
	_, client, end := open()
	defer end()
	ctx := context.Background()

	ref, err := sendLetter.Enqueue(ctx, client, letter{To: "ada@example.com", Text: "Happy birthday"},
		worker.At(time.Date(2030, 12, 10, 8, 0, 0, 0, time.UTC)), worker.Priority(5), worker.Tenant("acme"),
		worker.Labels(map[string]string{"cause": "birthday"}))
	if err != nil {
		log.Fatal(err)
	}
	task, err := client.Find("acme", ref.TaskID).Get(ctx)
	fmt.Println(task.Status, task.Priority, task.Labels["cause"], err)

	// Output:
	// running 5 birthday <nil>
}

// A job in the caller's own transaction is there if and when that commits.
func ExampleDefinition_EnqueueTx() {
	db, client, end := open()
	defer end()
	ctx := context.Background()

	var ref worker.Ref
	err := db.Write.Transaction(func(tx ledger.Gorm) (err error) {
		// … the caller's own changes, with tx …
		ref, err = sendLetter.EnqueueTx(ctx, client, tx, letter{To: "ada@example.com", Text: "Hello"})
		return err
	})
	if err == nil {
		err = client.Wake(ctx) // else it is fed within a second
	}
	counts, _ := client.Find("default", ref.TaskID).Counts(ctx)
	fmt.Println(err, counts.Enqueue)

	// Output:
	// <nil> 1
}

// Any number of jobs, made one after another. A bad row costs a row.
func ExampleDefinition_Task() {
	_, client, end := open()
	defer end()
	ctx := context.Background()

	rows := func(yield func(letter, error) bool) {
		for _, to := range []string{"ada@example.com", "nobody", "bob@example.com"} {
			if !yield(letter{To: to, Text: "Hello"}, nil) {
				return
			}
		}
	}
	task, err := sendLetter.Task(ctx, client, "Spring", rows, worker.Labels(map[string]string{"year": "2026"}))
	if err != nil {
		log.Fatal(err)
	}
	counts, err := task.Counts(ctx) // Wait returns when all are at rest
	fmt.Println(counts.Total, counts.Enqueue, counts.Failed, err)

	// Output:
	// 3 2 1 <nil>
}
