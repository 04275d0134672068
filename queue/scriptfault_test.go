package queue

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// lockedLog holds the log lines of many goroutines.
type lockedLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedLog) errors() (list []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for localQueue := range strings.Lines(l.text.String()) {
		if strings.Contains(localQueue, "level=ERROR") {
			list = append(list, localQueue)
		}
	}
	return list
}

// TestScriptFault_ThatRepeats_IsAnErrorOnceAndNamedToAll breaks a key of Redis so that fetch fails
// repeatedly. After the repair all jobs run.
func TestScriptFault_ThatRepeats_IsAnErrorOnceAndNamedToAll(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		log, ctx := &lockedLog{}, t.Context()
		c := w.client(Spec{"one", 1})
		k := keyspace{w.prefix}.shard("one", 0)
		if err := w.rdb.Set(ctx, k.retries, "not a zset", 0).Err(); err != nil {
			t.Fatal(err)
		}
		if err := c.Push(ctx, jobs("a/1", "b/1")...); err != nil {
			t.Fatal(err)
		}
		opt := w.quick()
		opt.Log = slog.New(slog.NewTextHandler(log, nil))
		s := w.serve(opt, Worker{Queue: "one", Shards: 1, Handle: blank})
		until(t, "fetch has failed three times", func() bool { return s.Counts().Scripts >= 3 })
		began := time.Now().Add(-time.Minute)
		list, err := c.Admin().ScriptFaults(ctx, "one", began)
		if err != nil || len(list) != 1 {
			t.Fatalf("faults: %+v, %v", list, err)
		}
		f := list[0]
		if f.Queue != "one" || f.Shard != "0" || f.Script != "fetch" || !f.Repeats(time.Now()) || f.Count < 1 ||
			f.Since.After(f.Last) || !strings.Contains(f.Err, "WRONGTYPE") {
			t.Errorf("told: %+v", f)
		}
		if f.Repeats(f.Last.Add(time.Minute)) {
			t.Error("a fault of a minute ago repeats")
		}
		if later, err := c.Admin().ScriptFaults(ctx, "one", f.Last.Add(time.Hour)); len(later) > 0 || err != nil {
			t.Errorf("faults of the future: %v, %v", later, err)
		}
		if errs := log.errors(); len(errs) != 1 || !strings.Contains(errs[0], "script=fetch") ||
			!strings.Contains(errs[0], "queue=one") {
			t.Errorf("logged as errors: %q, want one", errs)
		}
		if err := w.rdb.Del(ctx, k.retries).Err(); err != nil {
			t.Fatal(err)
		}
		until(t, "mended, all runs", func() bool {
			st, err := c.Stats(ctx, "one")
			return err == nil && st.Processed == 2
		})
	})
}

// TestScriptFault_OfRedisAwayOrFull_IsNone checks temporary faults, which are reported in other
// ways.
func TestScriptFault_OfRedisAwayOrFull_IsNone(t *testing.T) {
	t.Parallel()
	r, rdb := privateRedis(t)
	w := worldAt(t, "p", rdb.Options().Addr)
	c := w.client()
	if err := rdb.ConfigSet(t.Context(), "maxmemory", "1").Err(); err != nil {
		t.Fatal(err)
	}
	if err := c.Push(t.Context(), Job{Queue: "q", Key: "k"}); err == nil {
		t.Error("a full Redis took a job")
	}
	r.kill()
	short, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := c.Push(short, Job{Queue: "q", Key: "k"}); err == nil {
		t.Error("a Redis that is away took a job")
	}
	if n := c.ScriptFaults(); n != 0 {
		t.Errorf("%d scripts have failed", n)
	}
}

// TestScriptFault_OfManyErrors_IsToldByItsText runs scripts that fail in many ways.
func TestScriptFault_OfManyErrors_IsToldByItsText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for script, want := range map[string]bool{
		"error('x')": true, "redis.call('NONE')": true,
		"return redis.call('SET', KEYS[1])": true, "return redis.error_reply('OOM full')": false,
		"return redis.error_reply('READONLY it is')": false, "return 1": false,
	} {
		err := w.rdb.Eval(t.Context(), script, []string{w.prefix + "x"}).Err()
		if isScriptFault(err) != want {
			t.Errorf("%s: %v is a fault of the script: %v, want %v", script, err, !want, want)
		}
	}
	for _, err := range []error{nil, redis.Nil, context.DeadlineExceeded, errors.New("ERR of Go")} {
		if isScriptFault(err) {
			t.Errorf("%v is taken for a fault of a script", err)
		}
	}
}
