package doctor

import (
	"context"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/queue"
)

// queues warns of queues with waiting keys that no process takes. The page /ops uses the same rules and
// texts, and also finds queues that make no progress.
func (d *checkup) queues(ctx context.Context, rdb redis.UniversalClient) {
	admin := queue.NewClient(rdb, queue.ClientOptions{Prefix: d.cfg.Prefix}).Admin()
	names, err := admin.Queues(ctx)
	still := 0
	for _, name := range names {
		var why string
		args := map[string]string{"kind": name}
		if why, err = standstill(ctx, admin, name, args); err != nil {
			break
		}
		if why != "" {
			still++
			d.report("queue "+name, stateWarn, words.English(why+".do", args), "%s", words.English(why, args))
		}
	}
	switch {
	case err != nil:
		d.report("queues", stateFail, "check REDIS_PREFIX and the rights of the Redis user", "%v", err)
	case still == 0:
		d.report("queues", stateOK, "", "%d in Redis, none is stuck", len(names))
	}
}

// standstill returns the text key of the sentence that explains why no process takes a queue's waiting
// keys. It adds the values of the text to `args`. It returns "" if a process takes the keys, or if no key
// waits.
func standstill(ctx context.Context, admin *queue.Admin, name string, args map[string]string) (string, error) {
	st, err := admin.Stats(ctx, name)
	if err != nil || st.Length == 0 {
		return "", err
	}
	faults, err := admin.ScriptFaults(ctx, name, time.Now().Add(-time.Hour))
	unowned := strconv.Itoa(len(st.Unowned()))
	switch {
	case err != nil:
		return "", err
	case st.Paused:
		return "why.QUEUE_PAUSED", nil
	case st.Nodes() == 0:
		return "why.NO_WORKER", nil
	case len(faults) > 0 && faults[0].Repeats(time.Now()):
		args["script"] = faults[0].Script
		return "why.SCRIPT_FAILS", nil
	case unowned != "0":
		args["n"], args["n_shown"] = unowned, unowned
		return "why.SHARD_UNOWNED", nil
	}
	return "", nil
}

// ShardsOf returns the number of shards that a worker owns.
func ShardsOf(n *queue.NodeReport) (count int) {
	for _, names := range n.Shards {
		count += len(names)
	}
	return count
}
