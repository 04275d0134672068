package main

import (
	"context"
	"fmt"
	"time"
)

// idleTime is how long an idle node is measured.
const idleTime = 10 * time.Second

// benchQueueIdle measures the processor time that a node and Redis use for 500 idle shards, in 100 queues
// and in one.
func benchQueueIdle(ctx context.Context, l *lab, runs int) ([]figure, error) {
	var out []figure
	for _, queues := range []int{100, 1} {
		var ours, theirs [2][]float64
		for range runs {
			for _, peer := range []bool{false, true} {
				to := &ours
				if peer {
					to = &theirs
				}
				cpu, err := l.idle(ctx, queues, peer)
				if err != nil {
					return nil, err
				}
				to[0], to[1] = append(to[0], cpu[0]), append(to[1], cpu[1])
			}
		}
		for i, who := range []string{"node", "redis"} {
			name := fmt.Sprintf("queue-idle, %d × %d shards, %s", queues, 500/queues, who)
			name2 := fmt.Sprintf("%s, queues: %d", peerName, queues)
			out = append(out, figureOf(name, "% core", ours[i]).below(name2, median(theirs[i])))
		}
	}
	return out, nil
}

// idle returns the part of a core, in percent, that a node and its Redis use.
func (l *lab) idle(ctx context.Context, queues int, peer bool) (cpu [2]float64, err error) {
	defer l.leave(len(l.cleanup))
	f := fleet{l.store(), l, queues, 500 / queues, 10 * time.Second, peer}
	push, node := f.probe(), f.node()
	const perShard = 10 // enough to reach nearly every shard
	probes := perShard * f.shards
	if err := push(ctx, probes); err != nil {
		return cpu, err
	}
	if err := awaitProbes(probes*queues, node); err != nil {
		return cpu, err
	}
	time.Sleep(2 * time.Second) // the processes become idle
	redisPID, err := f.info(ctx, "server", "process_id")
	if err != nil {
		return cpu, err
	}
	begun := time.Now()
	spent, err := cpuDuring([...]int{node.PID(), int(redisPID)}, func() error {
		time.Sleep(idleTime)
		return nil
	})
	for i := range cpu {
		cpu[i] = 100 * spent[i].Seconds() / time.Since(begun).Seconds()
	}
	return cpu, err
}
