package worker_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/worker"
)

type order struct{ State string }

// teller stands behind jobs and tells what they ask for.
type teller struct{ worker.Backing }

func (teller) Show(p worker.Progress) { fmt.Println(p.Done, "of", p.Total, p.Text) }

// calls are jobs as the queue hands them to a kind: those of one key side by
// side, oldest first.
func calls(pairs ...string) []*worker.Call {
	var out []*worker.Call
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, &worker.Call{
			ID: fmt.Sprintf("t.%d", i/2+1), Key: pairs[i],
			Params: fmt.Appendf(nil, `{"State":%q}`, pairs[i+1]),
		})
	}
	return out
}

// tell prints the own outcome of each job.
func tell(list []*worker.Call) {
	for _, c := range list {
		err, own := c.Resolved()
		switch newer := c.SupersededBy(); {
		case newer != nil:
			fmt.Println(c.ID, "superseded by", newer.ID)
		case own:
			fmt.Println(c.ID, err)
		default:
			fmt.Println(c.ID, "ends as the handler does")
		}
	}
}

func ExampleDefineBatch() {
	sync := worker.DefineBatch("orders.sync", func(_ context.Context, b *worker.Batch[order]) error {
		for key, jobs := range b.Keys() {
			last := jobs[len(jobs)-1]
			if last.Args.State == "lost" {
				last.Resolve(worker.Fail("ORDER_UNKNOWN", "order %s does not exist", key))
				continue
			}
			for _, old := range jobs[:len(jobs)-1] {
				old.Superseded(last)
			}
		}
		return nil
	}, worker.BatchSize(100))

	list := calls("o1", "new", "o1", "paid", "o2", "lost", "o3", "new")
	fmt.Println(sync.Kind().Run(context.Background(), list...))
	tell(list)
	// Output:
	// <nil>
	// t.1 superseded by t.2
	// t.2 ends as the handler does
	// t.3 ORDER_UNKNOWN: order o2 does not exist
	// t.4 ends as the handler does
}

func ExampleLatest() {
	sync := worker.Define("orders.sync", func(_ context.Context, job *worker.Job[order]) error {
		fmt.Println("handler sees", job.Args.State)
		return nil
	}, worker.Latest())

	list := calls("o1", "new", "o1", "paid", "o1", "sent")
	fmt.Println(sync.Kind().Run(context.Background(), list...))
	tell(list)
	// Output:
	// handler sees sent
	// <nil>
	// t.1 superseded by t.3
	// t.2 superseded by t.3
	// t.3 ends as the handler does
}

func ExampleFails() {
	err := worker.Fails(
		worker.Fail("BRAND_UNKNOWN", "brand Acne does not exist").Column("Brand"),
		worker.Fail("TOO_CHEAP", "price is below cost").Column("Price"),
	)
	fmt.Println(err)
	for _, f := range err.Fields {
		fmt.Println(f.Column, f.Code)
	}
	// Output:
	// BRAND_UNKNOWN: brand Acne does not exist
	// Brand BRAND_UNKNOWN
	// Price TOO_CHEAP
}

// A handler's error says what becomes of the job.
func ExampleCancel() {
	ended := errors.New("the promotion has ended")
	v := worker.Judge(context.Background(), worker.Cancel(ended), nil)
	fmt.Println(v.Kind, v.Failure.Code, v.Failure.Message)
	fmt.Println(errors.Is(worker.Cancel(ended), ended))
	// Output:
	// failed CANCELED the promotion has ended
	// true
}

// A job goes on where an earlier run of it was cut off.
func ExampleCheckpoint() {
	pages := worker.Define("catalog.crawl", func(ctx context.Context, job *worker.Job[order]) error {
		page, again := worker.Checkpoint[int](job)
		fmt.Println("begins at page", page, again)
		for ; page < 3; page++ {
			job.Progress(int64(page), 3, "page %d", page)
			if err := worker.Save(ctx, job, page+1); err != nil {
				return err
			}
		}
		page, again = worker.Checkpoint[int](job)
		fmt.Println("would go on at page", page, again)

		err := worker.Save(ctx, job, make([]int, worker.MaxCheckpoint))
		fmt.Println(errors.Is(err, worker.ErrCheckpointSize))
		return nil
	})
	fmt.Println(pages.Call(context.Background(), order{}))
	// Output:
	// begins at page 0 false
	// would go on at page 3 true
	// true
	// <nil>
}

// What a job says of itself goes to whoever shows it.
func ExampleCall_Progress() {
	job := worker.Job[order]{Call: &worker.Call{Backing: teller{}}}
	job.Progress(10, 40, "page %d", 10)
	// Output: 10 of 40 page 10
}

// An untracked kind runs on the queue alone; its params are the payload.
func ExampleTrack() {
	warm := worker.Define("cache.warm", func(_ context.Context, job *worker.Job[order]) error {
		fmt.Println("warm", job.Key, job.Args.State)
		return nil
	}, worker.Track(false))

	fmt.Println(warm.Kind().Untracked)
	fmt.Println(warm.Kind().Run(context.Background(), calls("o1", "paid")...))
	// Output:
	// true
	// warm o1 paid
	// <nil>
}

// What the handler writes and the end of its job are committed together.
func ExampleDefineTx() {
	pay := worker.DefineTx("orders.pay", func(ctx context.Context, tx worker.Tx, job *worker.Job[order]) error {
		const text = "INSERT INTO payments (job, state) VALUES (@job, @state)"
		_, err := tx.Exec(ctx, text, worker.Args{"job": job.ID, "state": job.Args.State})
		return err
	})
	fmt.Println(pay.Call(context.Background(), order{"paid"}))
	// Output:
	// worker: orders.pay: there is no transaction of a ledger
}
