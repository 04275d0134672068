package queue

import (
	"context"
	"errors"
	"fmt"
)

// pushRounds is how often a push follows a queue that is cut anew meanwhile.
const pushRounds = 8

// ErrMoving means that a queue was cut anew again and again while a push tried to
// follow. Push the job again.
var ErrMoving = errors.New("queue is being cut anew")

// Push adds jobs. A job that breaks a limit or names an unknown queue is refused
// before anything is sent; the others are pushed. When Redis refuses jobs, or does
// not answer, Push sends no more: the jobs of a key that were taken are always the
// first of that key, in the order of the call. Either way Push returns a *PushError
// that names the jobs that were not pushed.
//
// A key that is full refuses jobs with a Job.Limit, and Push goes on with those of other
// keys: ErrKeyFull.
//
// Pushing a job again adds no payload that waits already, but one that ran
// meanwhile runs again. The caller pushes the jobs that were not taken before any
// later job of their keys.
func (c *Client) Push(ctx context.Context, jobs ...Job) error { return c.push(ctx, jobs) }

// pushGood pushes the jobs that may be pushed.
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

// check splits the jobs into those that may be pushed and those that may not.
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

// pushRound offers the jobs to the older cut of their queue, if there is one, and
// then to the newer. It returns the jobs that closed shards left, or reports that it
// has stopped and put the jobs that were not pushed into out.
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
