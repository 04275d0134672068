package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// spent holds the processor time of a tracked run by process. On a busy machine, it is more reliable than
// the jobs per second.
type spent struct{ node, redis, postgres time.Duration }

// times returns the processor times so far.
func (s *service) times(ctx context.Context, redis *store) (t spent, err error) {
	if t.node, err = cpuTime(os.Getpid()); err != nil {
		return t, err
	}
	pid, err := redis.info(ctx, "server", "process_id")
	if err != nil {
		return t, err
	}
	if t.redis, err = cpuTime(int(pid)); err != nil {
		return t, err
	}
	var backend int
	if err := s.db.Pool.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&backend); err != nil {
		return t, err
	}
	t.postgres, err = familyTime(backend)
	return t, err
}

// familyTime returns the processor time of the living processes with the same parent as pid: the backends
// and the background processes of a Postgres server.
func familyTime(pid int) (sum time.Duration, err error) {
	parent, err := exec.Command("ps", "-o", "ppid=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return 0, fmt.Errorf("parent of %d: %w", pid, err)
	}
	pids, err := exec.Command("ps", "-o", "pid=", "--ppid", strings.TrimSpace(string(parent))).Output()
	if err != nil {
		return 0, fmt.Errorf("backends: %w", err)
	}
	for _, text := range strings.Fields(string(pids)) {
		child, err := strconv.Atoi(text)
		if err != nil {
			return 0, err
		}
		t, err := cpuTime(child)
		if err != nil {
			continue // it has ended meanwhile
		}
		sum += t
	}
	return sum, nil
}

// spends holds the processor times of several runs, in µs per job.
type spends struct{ node, redis, postgres []float64 }

func (s *spends) add(before, after spent) {
	s.node = append(s.node, micros(after.node-before.node)/trackedJobs)
	s.redis = append(s.redis, micros(after.redis-before.redis)/trackedJobs)
	s.postgres = append(s.postgres, micros(after.postgres-before.postgres)/trackedJobs)
}

func (s *spends) figures() []figure {
	return []figure{
		figureOf("tracked, time of the node", "µs/job", s.node),
		figureOf("tracked, time of redis", "µs/job", s.redis),
		figureOf("tracked, time of postgres", "µs/job", s.postgres),
	}
}
