package worker_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver pgx

	"github.com/rollcall-dev/rollcall/worker"
	"github.com/rollcall-dev/rollcall/worker/workertest"
)

type letter struct {
	To   string `row:"To" key:"true" validate:"required,email"`
	Text string `row:"Text" validate:"required"`
}

// sendLetter sends a letter, and returns the length of its text.
var sendLetter = worker.Define("letters.send", func(_ context.Context, job *worker.Job[letter]) error {
	return job.Result(len(job.Args.Text))
}, worker.Unique(10*time.Minute))

// service starts a service for a test. Another program opens its client with worker.Connect.
func service() (client *worker.Client, end func()) {
	t := &printed{}
	return workertest.New(t, worker.NewRegistry(sendLetter)).Client(), t.end
}

// A program enqueues jobs through the connections that it already has.
func ExampleConnect() {
	ctx := context.Background()
	shop, err := sql.Open("pgx", "postgres://shop:secret@localhost/shop")
	if err != nil {
		log.Fatal(err)
	}
	client, err := worker.Connect(ctx, worker.Backends{
		Database: shop, RedisURL: "redis://localhost:6379",
	}, worker.NewRegistry(sendLetter), worker.ClientOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = client.Close() }() // shop stays open

	tx, err := shop.BeginTx(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	// … the program's own changes, in tx …
	if _, err := sendLetter.EnqueueTx(ctx, client, tx, letter{To: "ada@example.com", Text: "Hello"}); err != nil {
		log.Fatal(err) // the program rolls tx back
	}
	if err := tx.Commit(); err != nil {
		log.Fatal(err)
	}
	_ = client.Wake(ctx) // without it, the job is fed within a second
}

// Enqueue adds one job. For invalid arguments it returns an error and adds nothing. For a kind with
// Unique it adds an equal job only once.
func ExampleDefinition_Enqueue() {
	client, end := service()
	defer end()
	ctx := context.Background()

	_, err := sendLetter.Enqueue(ctx, client, letter{To: "nobody"})
	fmt.Println(err)

	tomorrow := worker.Delay(24 * time.Hour)
	first, err := sendLetter.Enqueue(ctx, client, letter{To: "ada@example.com", Text: "Hello"}, tomorrow)
	fmt.Println(first.Deduplicated, err)
	second, err := sendLetter.Enqueue(ctx, client, letter{To: "ada@example.com", Text: "Hello"}, tomorrow)
	fmt.Println(second.Deduplicated, second.ID == first.ID, err)

	// Output:
	// INVALID_VALUE: To must be an e-mail address
	// false <nil>
	// true true <nil>
}

// Call runs the function at once. The arguments are validated like a row, and nothing is recorded.
func ExampleDefinition_Call() {
	ctx := context.Background()
	n, err := worker.ResultOf[int](sendLetter.Call(ctx, letter{To: "ada@example.com", Text: "Hello"}))
	fmt.Println(n, err)
	_, err = sendLetter.Call(ctx, letter{To: "ada@example.com"})
	fmt.Println(err)

	// Output:
	// 5 <nil>
	// REQUIRED: Text is empty
}

// Run runs the function on a worker, with a record and retries. The caller waits for the result.
func ExampleDefinition_Run() {
	client, end := service()
	defer end()
	n, err := worker.ResultOf[int](sendLetter.Run(context.Background(), client,
		letter{To: "ada@example.com", Text: "Hello"}, worker.Name("greeting")))
	fmt.Println(n, err)
	// Output: 5 <nil>
}

// A card is charged once, however often its job runs. The database has the table of OnceTable.
func ExampleCall_Once() {
	var shop *sql.DB // of the program
	charge := worker.Define("orders.charge", func(ctx context.Context, job *worker.Job[order]) error {
		tx, err := shop.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		first, err := job.Once(ctx, tx, "charge")
		if err != nil || !first {
			return errors.Join(err, tx.Rollback())
		}
		// … charge the card, in tx …
		return tx.Commit()
	})
	worker.NewRegistry(charge)
}

// A delayed job has a priority and labels.
func ExamplePriority() {
	client, end := service()
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

// Task adds any number of jobs from an iterator. A bad row invalidates only itself.
func ExampleDefinition_Task() {
	client, end := service()
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
	status, err := task.Wait(ctx)
	counts, _ := task.Counts(ctx)
	fmt.Println(status, counts.Total, counts.Finish, counts.Failed, err)

	// Output:
	// finished_with_failures 3 2 1 <nil>
}

// The job starts when all jobs of another task have finished successfully.
func ExampleAfterSuccess() {
	client, end := service()
	defer end()
	ctx := context.Background()

	rows := func(yield func(letter, error) bool) { yield(letter{To: "ada@example.com", Text: "Hello"}, nil) }
	task, err := sendLetter.Task(ctx, client, "Spring", rows)
	if err != nil {
		log.Fatal(err)
	}
	ref, err := sendLetter.Enqueue(ctx, client, letter{To: "ada@example.com", Text: "Done"}, worker.AfterSuccess(task.ID))
	if err != nil {
		log.Fatal(err)
	}
	last, err := client.Find(task.Tenant, ref.TaskID).Wait(ctx)
	first, _ := task.Get(ctx)
	fmt.Println(first.Status, last, err)

	// Output:
	// finished finished <nil>
}
