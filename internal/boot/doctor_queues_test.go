package boot

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/queue"
)

// TestDoctor_QueueStandsStill_SaysWhy tests a queue without a worker, and a paused queue. The command
// prints the same texts as the page /ops.
func TestDoctor_QueueStandsStill_SaysWhy(t *testing.T) {
	t.Parallel()
	server := testenv.StartRedis(t)
	d := newDesk(t, ledgers.Postgres(t), server)
	rdb := redis.NewClient(&redis.Options{Addr: server.Addr()})
	t.Cleanup(func() { _ = rdb.Close() })
	c := queue.NewClient(rdb, queue.ClientOptions{Prefix: "p", Queues: []queue.Spec{{Name: "mails.send"}}})
	found := func() (out string) {
		t.Helper()
		lines, err := d.ask("doctor")
		if err != nil {
			t.Fatalf("doctor: %v, %v", err, lines)
		}
		for _, line := range lines {
			if line["check"] == "queue mails.send" && line["state"] == "warn" {
				out = line["found"].(string)
			}
		}
		if out == "" {
			d.states(lines, map[string]string{"queues": "ok"})
		}
		return out
	}
	if got := found(); got != "" {
		t.Errorf("nothing waits: %s", got)
	}
	if err := c.Push(t.Context(), queue.Job{Queue: "mails.send", Key: "a", Payload: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	if got := found(); got != words.English("why.NO_WORKER", map[string]string{"kind": "mails.send"}) {
		t.Errorf("a queue without a worker: %q", got)
	}
	if err := c.Admin().Pause(t.Context(), "mails.send"); err != nil {
		t.Fatal(err)
	}
	if got := found(); got != words.English("why.QUEUE_PAUSED", nil) {
		t.Errorf("a paused queue: %q", got)
	}
}
