package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hibiken/asynq"

	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/queue"
)

// fleet is a set of queues on one Redis server. Nodes in separate processes run their jobs.
type fleet struct {
	*store
	lab            *lab
	queues, shards int
	lease          time.Duration
	peer           bool // the nodes use asynq
}

// node starts another node.
func (f *fleet) node() *testenv.Process {
	args := []string{
		"--redis", f.addr, "--queues", strconv.Itoa(f.queues), "--shards", strconv.Itoa(f.shards),
		"--lease", f.lease.String(),
	}
	if f.peer {
		args = append(args, "--peer")
	}
	return testenv.StartProcess(f.lab, f.lab.program("node"), nil, args...)
}

// probe returns a function that pushes n jobs to each queue. The payload of a job is the time of the push
// and a number.
func (f *fleet) probe() func(ctx context.Context, n int) error {
	if f.peer {
		return f.probePeer()
	}
	var specs []queue.Spec
	for i := range f.queues {
		specs = append(specs, queue.Spec{Name: fleetQueue(i), Shards: f.shards})
	}
	client := queue.NewClient(f.rdb, queue.ClientOptions{Queues: specs})
	return func(ctx context.Context, n int) error {
		var jobs []queue.Job
		for i := range n * f.queues {
			p := fmt.Sprintf("%s.%d", stamp(), i)
			jobs = append(jobs, queue.Job{
				Queue: fleetQueue(i % f.queues), Key: p, Payload: []byte(p),
			})
		}
		return client.Push(ctx, jobs...)
	}
}

func (f *fleet) probePeer() func(ctx context.Context, n int) error {
	client := asynq.NewClientFromRedisClient(f.rdb)
	return func(ctx context.Context, n int) error {
		for i := range n * f.queues {
			task := asynq.NewTask(queueName, fmt.Appendf(nil, "%s.%d", stamp(), i))
			_, err := client.EnqueueContext(ctx, task, asynq.Queue(fleetQueue(i%f.queues)))
			if err != nil {
				return err
			}
		}
		return nil
	}
}

func fleetQueue(i int) string { return fmt.Sprintf("bench-%d", i) }

// start is the start of one probe, as a node has printed it.
type start struct {
	probe string
	sent  time.Time
	wait  time.Duration
}

// starts returns the probes that the nodes have started.
func starts(nodes ...*testenv.Process) []start {
	var out []start
	for _, node := range nodes {
		for _, line := range node.Stdout() {
			probe, at, _ := strings.Cut(line, " ")
			sent, _, _ := strings.Cut(probe, ".")
			a, _ := strconv.ParseInt(at, 10, 64)   // node prints it
			b, _ := strconv.ParseInt(sent, 10, 64) // probe prints it
			out = append(out, start{probe, time.Unix(0, b), time.Duration(a - b)})
		}
	}
	return out
}

// awaitProbes waits until the nodes have started n different probes.
func awaitProbes(n int, nodes ...*testenv.Process) error {
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		seen := map[string]bool{}
		for _, s := range starts(nodes...) {
			seen[s.probe] = true
		}
		if len(seen) >= n {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("%w: %d of %d probes", errSlow, len(seen), n)
		}
	}
}
