package main

import (
	"context"
	"fmt"
	"os"
	"time"
)

// queueJobs is how many jobs a queue bench enqueues.
const queueJobs = 100_000

// concurrencies are the concurrencies at which nodes are compared.
var concurrencies = [...]int{5, 10, 50, 100}

// benchQueueProcess measures blank jobs that wait before the node starts, each with its own key, from the
// start to the last ack. On a busy machine, the processor time of a job is more reliable than the jobs
// per second.
func benchQueueProcess(ctx context.Context, l *lab, runs int) ([]figure, error) {
	var out []figure
	var ours, theirs work
	for _, concurrency := range concurrencies {
		var rates, peerRates []float64
		err := l.sideBySide(runs, func(c contender) error {
			w, err := process(ctx, c, concurrency)
			if _, ok := c.(*peer); ok {
				peerRates = append(peerRates, w.rate)
				theirs.add(w)
			} else {
				rates = append(rates, w.rate)
				ours.add(w)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("queue-process, concurrency %d", concurrency)
		out = append(out, figureOf(name, "jobs/s", rates).above(peerName, median(peerRates)))
	}
	return append(out,
		figureOf("queue-process, time of redis", "µs/job", ours.redis).
			below(peerName, median(theirs.redis)),
		figureOf("queue-process, time of the node", "µs/job", ours.node).
			below(peerName, median(theirs.node))), nil
}

// work holds the rate of one run, and the processor times per job of one or more runs.
type work struct {
	rate        float64 // jobs per second of the last run
	redis, node []float64
}

func (w *work) add(other work) {
	w.redis = append(w.redis, other.redis...)
	w.node = append(w.node, other.node...)
}

// process runs queueJobs jobs, and returns their rate and processor times.
func process(ctx context.Context, c contender, concurrency int) (w work, err error) {
	if err := c.fill(ctx, 0, queueJobs); err != nil {
		return w, err
	}
	redisPID, err := c.redis().info(ctx, "server", "process_id")
	if err != nil {
		return w, err
	}
	pids := [...]int{int(redisPID), os.Getpid()}
	var took time.Duration
	spent, err := cpuDuring(pids, func() (err error) {
		took, err = drain(ctx, c, concurrency)
		return err
	})
	w.rate = queueJobs / took.Seconds()
	w.redis = []float64{micros(spent[0]) / queueJobs}
	w.node = []float64{micros(spent[1]) / queueJobs}
	return w, err
}

// drain starts a node, and returns the time until all queueJobs jobs are done.
func drain(ctx context.Context, c contender, concurrency int) (time.Duration, error) {
	count := countTo(queueJobs)
	begun := time.Now()
	stop, err := c.work(ctx, concurrency, count.handled)
	if err != nil {
		return 0, err
	}
	defer stop()
	if err := count.wait(ctx); err != nil {
		return 0, err
	}
	err = settled(ctx, c)
	return time.Since(begun), err
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
