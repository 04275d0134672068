package queue

import (
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
)

// TestOutage_WhileRedisLoads_IsLoggedOnce restarts Redis under a server; Redis answers
// LOADING to every shard for a while.
func TestOutage_WhileRedisLoads_IsLoggedOnce(t *testing.T) {
	t.Parallel()
	r, err := startRedis("--appendonly", "no", "--rdbcompression", "no", "--loading-process-events-interval-bytes", "1024")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.kill(); _ = os.RemoveAll(r.dir) })
	w, log := worldAt(t, "p", r.addr), &lockedLog{}
	opt := w.quick()
	opt.Log = slog.New(slog.NewTextHandler(log, nil))
	w.serve(opt, Worker{Queue: "q", Handle: blank})
	w.push(Job{Key: "k"})
	until(t, "the server works", func() bool { return w.stats().Processed == 1 })
	for i := range 300 {
		w.rdb.Set(t.Context(), fmt.Sprint("filler", i), strings.Repeat("x", 500), 0)
	}
	if err := w.rdb.Save(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	r.kill()
	r.args = append(r.args, "--key-load-delay", "5000") // microseconds a key
	if err := r.start(); err != nil {
		t.Fatal(err)
	}
	w.push(Job{Key: "k"})
	until(t, "the server works again", func() bool { return w.stats().Processed == 2 })
	log.mu.Lock()
	defer log.mu.Unlock()
	n := 0
	for line := range strings.Lines(log.text.String()) {
		if strings.Contains(line, "LOADING") {
			n++
		}
	}
	if n != 1 {
		t.Errorf("LOADING was logged %d times:\n%s", n, log.text.String())
	}
}
