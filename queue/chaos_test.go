package queue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// process is a worker process of the chaos test.
type process struct {
	cmd *exec.Cmd
	in  io.Closer // the worker ends when it is closed
}

// chaos is a run of a producer, of workers and of a Redis. The workers and the Redis have faults.
type chaos struct {
	t       *testing.T
	rnd     *rand.Rand
	redis   *realRedis
	witness *witness
	prefix  string
	workers []*process
	faults  map[string]int
}

// TestChaos pushes 1,000 jobs, or 10,000 in `make test-all`, over a tenth as many keys. The variable
// QUEUE_CHAOS_JOBS overrides the number. Meanwhile, worker processes are killed, ended, added, or
// stopped and continued. The shards change, and Redis is killed and restarted from its append-only
// file.
func TestChaos(t *testing.T) {
	t.Parallel()
	jobs := 1_000
	if testenv.All {
		jobs = 10_000
	}
	if text := os.Getenv("QUEUE_CHAOS_JOBS"); text != "" {
		var err error
		if jobs, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("QUEUE_CHAOS_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("seed %d, %d jobs", seed, jobs)
	c := newChaos(t, seed)
	for range 3 {
		c.start()
	}
	pushed := make(chan struct{})
	go func() {
		defer close(pushed)
		c.produce(jobs)
	}()
	end := time.Now().Add(time.Minute + time.Duration(jobs)*time.Millisecond)
	for c.done() < jobs && time.Now().Before(end) && !t.Failed() {
		time.Sleep(time.Duration(100+c.rnd.IntN(500)) * time.Millisecond)
		c.fault()
	}
	<-pushed
	for end = time.Now().Add(2 * time.Minute); c.done() < jobs && time.Now().Before(end) && !t.Failed(); {
		time.Sleep(100 * time.Millisecond) // a slow machine needs time without faults
	}
	t.Logf("seed %d: faults %v", seed, c.faults)
	if n := c.done(); n != jobs {
		t.Errorf("seed %d: %d payloads of %d ran to their end", seed, n, jobs)
	}
	for _, text := range c.witness.rdb.LRange(t.Context(), c.witness.prefix+"wrong", 0, 9).Val() {
		t.Errorf("seed %d: %s", seed, text)
	}
}

func newChaos(t *testing.T, seed uint64) *chaos {
	r, _ := privateRedis(t)
	prefix := newWorld(t).prefix
	w, err := newWitness(shared.addr, prefix)
	if err != nil {
		t.Fatal(err)
	}
	c := &chaos{
		t: t, rnd: rand.New(rand.NewPCG(seed, 3)), redis: r, witness: w, prefix: prefix,
		faults: make(map[string]int),
	}
	t.Cleanup(func() {
		for _, p := range c.workers {
			p.end(syscall.SIGKILL)
		}
		_ = w.rdb.Close() // it is done
	})
	return c
}

func (c *chaos) start() {
	c.t.Helper()
	p := &process{cmd: exec.Command(os.Args[0])}
	p.cmd.Env = append(os.Environ(), envChaosRedis+"="+c.redis.addr,
		envChaosWitness+"="+shared.addr, envChaosPrefix+"="+c.prefix)
	p.cmd.Stderr = os.Stderr
	in, err := p.cmd.StdinPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	p.in = in
	if err := p.cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.workers = append(c.workers, p)
}

// end sends a signal that ends the process, and waits.
func (p *process) end(sig syscall.Signal) {
	_ = p.cmd.Process.Signal(sig) // it may be gone
	_ = p.cmd.Wait()              // however it ended
	_ = p.in.Close()
}

func (c *chaos) done() int {
	return int(c.witness.rdb.SCard(c.t.Context(), c.witness.prefix+"done").Val())
}

// fault stops or kills a worker or Redis, or changes the shards.
func (c *chaos) fault() {
	i := c.rnd.IntN(len(c.workers))
	victim := c.workers[i]
	switch n := c.rnd.IntN(10); {
	case n < 3:
		c.faults["kill -9"]++
		victim.end(syscall.SIGKILL)
		c.replace(i)
	case n < 5:
		c.faults["stop, continue"]++
		_ = victim.cmd.Process.Signal(syscall.SIGSTOP)
		time.Sleep(chaosLease + time.Duration(c.rnd.IntN(500))*time.Millisecond)
		_ = victim.cmd.Process.Signal(syscall.SIGCONT)
	case n < 7:
		c.faults["graceful end"]++
		victim.end(syscall.SIGTERM)
		c.replace(i)
	case n < 8:
		c.faults["redis killed"]++
		c.redis.kill()
		if err := c.redis.start(); err != nil {
			c.t.Fatal(err)
		}
	default:
		c.reshard()
	}
}

// replace starts another worker, and now and then a fourth.
func (c *chaos) replace(i int) {
	c.workers = append(c.workers[:i], c.workers[i+1:]...)
	for len(c.workers) < 3+c.rnd.IntN(2) {
		c.start()
	}
}

func (c *chaos) reshard() {
	rdb := redis.NewClient(&redis.Options{Addr: c.redis.addr})
	defer rdb.Close()
	a := NewClient(rdb, ClientOptions{Prefix: c.prefix}).Admin()
	if err := a.Reshard(c.t.Context(), "q", 1+c.rnd.IntN(9)); err == nil {
		c.faults["reshard"]++
	} else if !errors.Is(err, ErrResharding) && !errors.Is(err, ErrUnknownQueue) {
		c.t.Error(err)
	}
}

// produce pushes the jobs, over a tenth as many keys.
func (c *chaos) produce(jobs int) {
	// The client must not retry by itself, because this would be a second push.
	rdb := redis.NewClient(&redis.Options{
		Addr: c.redis.addr, MaxRetries: -1, ContextTimeoutEnabled: true,
	})
	defer rdb.Close()
	client := NewClient(rdb, ClientOptions{Prefix: c.prefix, Queues: []Spec{{Name: "q"}}})
	if err := c.witness.produce(client, jobs, jobs/10); err != nil {
		c.t.Error(err)
	}
}

// jobAt returns job i of jobs over the given number of keys.
func jobAt(i, keys int) Job {
	return Job{
		Queue: "q", Key: fmt.Sprint("k", i%keys), Payload: fmt.Append(nil, i), Score: float64(i / keys),
	}
}

// produce pushes the jobs in chunks. It repeats the push of a chunk until the push succeeds. Jobs that
// are pushed twice may run twice, so the method markRepeated records them.
func (w *witness) produce(client *Client, jobs, keys int) error {
	for from := 0; from < jobs; from += 100 {
		var slice []Job
		for i := from; i < min(from+100, jobs); i++ {
			slice = append(slice, jobAt(i, keys))
		}
		for client.Push(context.Background(), slice...) != nil {
			if err := w.markRepeated(slice); err != nil {
				return err
			}
			time.Sleep(20 * time.Millisecond)
		}
		time.Sleep(40 * time.Millisecond) // spreads the pushes over the faults
	}
	return nil
}

// markRepeated records in the witness which payloads are pushed once more.
func (w *witness) markRepeated(jobs []Job) error {
	ids := make([]any, len(jobs))
	for i, j := range jobs {
		ids[i] = j.witnessed()
	}
	return w.rdb.SAdd(context.Background(), w.prefix+"again", ids...).Err()
}

// witnessed returns the witness's name of the job.
func (j Job) witnessed() string { return fmt.Sprintf("%s;%09.0f", j.Key, j.Score) }
