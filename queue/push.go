package queue

import (
	"context"
	"errors"
	"fmt"
)

// pushRounds is how often Push and ReportRefills try to find the right shard while a queue is being
// resharded.
const pushRounds = 8

// ErrMoving means that a queue was resharded repeatedly during a call of Push or ReportRefills. Repeat
// the call.
var ErrMoving = errors.New("queue was resharded repeatedly during the push")

// Push adds jobs. It refuses a job that breaks a limit or names an unknown queue, and pushes the others.
// It stops after the first call to Redis that fails. If a valid job of a key is not pushed, Push does
// not push the later jobs of the key either.
//
// A full key does not stop Push: if a key has reached Job.Limit, Push refuses its job with ErrKeyFull
// and continues with other keys. If any job was refused or not pushed, Push returns a *PushError with
// all such jobs.
//
// Pushing a payload again does not add it while it still waits; a payload that ran meanwhile runs again.
// To keep their order, push the refused jobs of a key again before any later job of the key.
func (c *Client) Push(ctx context.Context, jobs ...Job) error { return c.push(ctx, jobs) }

// pushGood does the work of Push after the middlewares. It pushes the valid jobs, and refuses the
// others.
func (c *Client) pushGood(ctx context.Context, jobs []Job) error {
	todo, out := c.check(jobs)
	full := make(map[queueKey]bool)
	for range pushRounds {
		var stopped bool
		if todo, stopped = c.pushRound(ctx, jobs, todo, full, &out); stopped || len(todo) == 0 {
			return out.orNil()
		}
		for _, i := range todo {
			c.forget(jobs[i].Queue)
		}
	}
	out.add(ErrMoving, todo...)
	return out.orNil()
}

// check returns the indexes of the valid jobs, and the errors of the others.
func (c *Client) check(jobs []Job) (good []int, bad PushError) {
	good = make([]int, 0, len(jobs))
	for i := range jobs {
		err := jobs[i].validate()
		if _, known := c.queues[jobs[i].Queue]; !known {
			err = fmt.Errorf("queue %q: %w", jobs[i].Queue, ErrUnknownQueue)
		}
		if err != nil {
			bad.add(err, i)
			continue
		}
		good = append(good, i)
	}
	return good, bad
}

// pushRound sends the jobs to the older layout of their queue, if the queue has one. Jobs that a closed
// shard refuses then go to the newer layout. pushRound returns the jobs that the newer layout refused,
// and reports whether it stopped early. If it stopped early, `out` contains the jobs that were not
// pushed.
func (c *Client) pushRound(
	ctx context.Context, jobs []Job, todo []int, full map[queueKey]bool, out *PushError,
) ([]int, bool) {
	views := make(map[string]*view)
	for _, i := range todo {
		if queue := jobs[i].Queue; views[queue] == nil {
			v, err := c.view(ctx, queue)
			if err != nil {
				out.add(err, todo...)
				return nil, true
			}
			views[queue] = v
		}
	}
	for stage := range 2 {
		p := pushing{c: c, jobs: jobs, views: views, stage: stage, full: full, out: out}
		p.cut(todo)
		if !p.send(ctx) {
			return nil, true
		}
		todo = p.left
	}
	return todo, false
}
