package workertest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/worker"
	"github.com/rollcall-dev/rollcall/worker/workertest"
)

// printed replaces the *testing.T in examples. It prints the message with which a test would fail.
type printed struct {
	testing.TB
	ends []func()
}

func (p *printed) Helper()                  {}
func (p *printed) Context() context.Context { return context.Background() }
func (p *printed) Cleanup(f func())         { p.ends = append(p.ends, f) }
func (p *printed) Logf(string, ...any)      {}

func (p *printed) Errorf(format string, args ...any) {
	first, _, _ := strings.Cut(fmt.Sprintf(format, args...), "\n")
	fmt.Println("the test fails:", first)
}

func (p *printed) Error(args ...any)                 { p.Errorf("%s", fmt.Sprint(args...)) }
func (p *printed) Fatal(args ...any)                 { panic(fmt.Sprint(args...)) }
func (p *printed) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

func (p *printed) TempDir() string {
	dir, err := os.MkdirTemp("", "workertest")
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() { _ = os.RemoveAll(dir) }) // nothing of it is kept
	return dir
}

// end runs the cleanups of a test.
func (p *printed) end() {
	for len(p.ends) > 0 {
		last := p.ends[len(p.ends)-1]
		p.ends = p.ends[:len(p.ends)-1]
		last()
	}
}

// transfer is a row of the examples.
type transfer struct {
	No   string `row:"No" key:"true" validate:"required"`
	Cent int64  `row:"Cent" validate:"required,gt=0"`
}

// Each job has one outcome, without a queue and without a record.
func ExampleRun() {
	t := &printed{} // the *testing.T of a test
	pay := worker.Define("transfers.pay", func(_ context.Context, job *worker.Job[transfer]) error {
		switch job.Args.No {
		case "closed":
			return worker.Fail("ACCOUNT_CLOSED", "The account is closed").Column("No")
		case "night":
			return worker.Snooze(time.Hour)
		case "down":
			return errors.New("the bank does not answer")
		}
		return job.Result("paid")
	})
	out := workertest.Run(t, pay, transfer{"T1", 100})
	out.RequireFinished()
	fmt.Println(out, string(out.Result))

	workertest.Run(t, pay, transfer{"closed", 100}).RequireFailed("ACCOUNT_CLOSED", "No")
	workertest.Run(t, pay, transfer{"T2", 0}).RequireFailed("INVALID_NUMBER", "Cent")
	workertest.Run(t, pay, transfer{"night", 100}).RequireSnoozed()
	workertest.Run(t, pay, transfer{"down", 100}).RequireError("does not answer")
	// Output: finish "paid"
}

// A job that runs twice, as after a crash, must have the effect of one that runs once.
func ExampleCheckIdempotent() {
	t := &printed{}
	sum, booked := int64(0), map[string]int64{}
	adds := worker.Define("adds", func(_ context.Context, job *worker.Job[transfer]) error {
		sum += job.Args.Cent
		return nil
	})
	books := worker.Define("books", func(_ context.Context, job *worker.Job[transfer]) error {
		booked[job.Args.No] = job.Args.Cent
		return nil
	})
	workertest.CheckIdempotent(t, books, transfer{"T1", 100}, func() any { return booked["T1"] })
	workertest.CheckIdempotent(t, adds, transfer{"T1", 100}, func() any { return sum })
	// Output: the test fails: the second run changed the effect:
}

// This example has the whole service, with a clock that the test moves: a file is imported, a row
// is retried a minute later, and all jobs that ran are delivered once more.
func ExampleNew() {
	t := &printed{}
	defer t.end()
	var booked sync.Map // rows of different keys run side by side
	book := worker.Define("transfers.book", func(_ context.Context, job *worker.Job[transfer]) error {
		if job.Args.No == "T2" && job.Attempt == 1 {
			return errors.New("the bank does not answer")
		}
		booked.Store(job.Args.No, job.Args.Cent)
		return nil
	}, worker.RetryIn(func(int) time.Duration { return time.Minute }))

	h := workertest.New(t, worker.NewRegistry(book))
	task := h.ImportText("transfers.book", "No,Cent\nT1,100\nT2,200\nT3,-5\n")
	task.RequireCounts(worker.Counts{Finish: 1, Failed: 1, Enqueue: 1, Retrying: 1})
	h.Advance(time.Minute)
	fmt.Println(task.Wait())

	h.Redeliver()
	h.CheckOrder()
	fmt.Println(booked.Load("T2"))
	for _, row := range task.Rows() {
		fmt.Printf("%d %s %d %q\n", row.Row, row.Status, row.Attempt, row.Code)
	}
	// Output:
	// finished_with_failures
	// 200 true
	// 2 finish 1 ""
	// 3 finish 2 ""
	// 4 failed 0 "INVALID_NUMBER"
}
