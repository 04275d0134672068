package web_test

import (
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/web"
)

// TestOpsHome_FullRedis_SaysSo reads the overview while Redis is full, and pauses a queue.
func TestOpsHome_FullRedis_SaysSo(t *testing.T) {
	t.Parallel()
	rdb := redis.NewClient(&redis.Options{Addr: testenv.StartRedis(t).Addr(), ContextTimeoutEnabled: true})
	t.Cleanup(func() { _ = rdb.Close() })
	l := newLab(t, func(o *web.Options) {
		o.Queue = queue.NewClient(rdb, queue.ClientOptions{Queues: []queue.Spec{{Name: patients}}})
	})
	fine(t, l.opt.Queue.Push(t.Context(), queue.Job{Queue: patients, Key: "default/A", Payload: []byte("{}")}))
	if strings.Contains(l.page("/ops"), "Redis is full") {
		t.Error("a Redis with room is called full")
	}
	fine(t, rdb.ConfigSet(t.Context(), "maxmemory", "1").Err())
	tells(t, l.page("/ops"), "Redis is full: it uses", "of 1 B", patients)
	l.isTranslated("/ops")
	fine(t, l.opt.Queue.Admin().Pause(t.Context(), patients))
	tells(t, l.page("/ops"), "Paused")
}
