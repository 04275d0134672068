package queue

import (
	"context"
	"crypto/sha1"
	_ "embed" // for the scripts
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"
)

// script is a Lua source with its SHA-1 digest, under which Redis caches the source. The name is
// the name of the file in lua, without extension.
type script struct{ name, src, sha string }

// newScript returns a script whose source consists of the parts, in order.
func newScript(name string, parts ...string) *script {
	src := strings.Join(parts, "")
	sum := sha1.Sum([]byte(src))
	return &script{name: name, src: src, sha: hex.EncodeToString(sum[:])}
}

var (
	//go:embed lua/prelude.lua
	preludeLua string
	//go:embed lua/limits.lua
	limitsLua string
	//go:embed lua/refill.lua
	refillLua string
	//go:embed lua/merge.lua
	mergeLua string
	//go:embed lua/relayout.lua
	relayoutLua string
	//go:embed lua/drop_layout.lua
	dropLayoutLua string
	//go:embed lua/dead_add.lua
	deadAddLua string
	//go:embed lua/dead_remove.lua
	deadRemoveLua string
	//go:embed lua/perform_all_now.lua
	performAllNowLua string
	//go:embed lua/delete_waiting.lua
	deleteWaitingLua string
	//go:embed lua/requeue.lua
	requeueLua string
	//go:embed lua/delete_dead.lua
	deleteDeadLua string
	//go:embed lua/locate.lua
	locateLua string
	//go:embed lua/keys.lua
	keysLua string
	//go:embed lua/push.lua
	pushLua string
	//go:embed lua/fetch.lua
	fetchLua string
	//go:embed lua/ack.lua
	ackLua string
	//go:embed lua/settle.lua
	settleLua string
	//go:embed lua/acquire.lua
	acquireLua string
	//go:embed lua/renew.lua
	renewLua string
	//go:embed lua/release.lua
	releaseLua string
	//go:embed lua/suspect.lua
	suspectLua string
)

var (
	pushScript          = newScript("push", preludeLua, mergeLua, pushLua)
	fetchScript         = newScript("fetch", preludeLua, limitsLua, fetchLua)
	ackScript           = newScript("ack", preludeLua, ackLua)
	settleScript        = newScript("settle", preludeLua, mergeLua, settleLua)
	acquireScript       = newScript("acquire", acquireLua)
	renewScript         = newScript("renew", renewLua)
	releaseScript       = newScript("release", releaseLua)
	suspectScript       = newScript("suspect", suspectLua)
	performAllNowScript = newScript("perform_all_now", preludeLua, performAllNowLua)
	deleteWaitingScript = newScript("delete_waiting", preludeLua, limitsLua, mergeLua, deleteWaitingLua)
	refillScript        = newScript("refill", preludeLua, refillLua)
	requeueScript       = newScript("requeue", preludeLua, mergeLua, requeueLua)
	deleteDeadScript    = newScript("delete_dead", preludeLua, deleteDeadLua)
	keysScript          = newScript("keys", keysLua)
	locateScript        = newScript("locate", preludeLua, locateLua)
	relayoutScript      = newScript("relayout", relayoutLua)
	dropLayoutScript    = newScript("drop_layout", dropLayoutLua)
	deadAddScript       = newScript("dead_add", preludeLua, deadAddLua)
	deadRemoveScript    = newScript("dead_remove", preludeLua, deadRemoveLua)
)

// call is one run of a script. After runCalls, it also holds the result.
type call struct {
	script *script
	keys   []string
	args   []any
	once   bool // go-redis must not send the call again if the answer is lost

	reply []any
	err   error
}

// status returns the first value of the reply, or 0 if it is not a number. For scripts that check a
// lease, -1 means that the lease was lost.
func (c *call) status() int64 {
	if len(c.reply) == 0 {
		return 0
	}
	n, _ := c.reply[0].(int64)
	return n
}

// runCalls runs the calls in one round trip, in order per shard. It then repeats the calls whose script
// Redis did not have, with the source. If a reply is lost, go-redis may run a script again, unless
// call.once is set. Each call keeps its own error.
func runCalls(ctx context.Context, rdb redis.UniversalClient, calls []*call) {
	unknown := pipeline(ctx, rdb, calls, false)
	if len(unknown) > 0 {
		pipeline(ctx, rdb, unknown, true)
	}
}

func pipeline(ctx context.Context, rdb redis.UniversalClient, calls []*call, full bool) []*call {
	pipe := rdb.Pipeline()
	cmds := make([]*redis.Cmd, len(calls))
	for i, c := range calls {
		cmds[i] = redis.NewCmd(ctx, c.words(full)...)
		cmds[i].SetFirstKeyPos(3)
		var cmd redis.Cmder = cmds[i]
		if c.once {
			cmd = onceCmd{cmds[i]}
		}
		_ = pipe.Process(ctx, cmd) // it queues the command; Exec returns the error
	}
	_, execErr := pipe.Exec(ctx)
	var unknown []*call
	for i, c := range calls {
		c.take(cmds[i], execErr)
		if c.err != nil && redis.HasErrorPrefix(c.err, "NOSCRIPT") {
			unknown = append(unknown, c)
		}
	}
	return unknown
}

// onceCmd is a command that go-redis sends again only after a redirect. Retries on abandoned
// connections would break the order of pushes.
type onceCmd struct{ *redis.Cmd }

// NoRetry returns true, so that go-redis does not repeat the command after a lost reply.
func (onceCmd) NoRetry() bool { return true }

// words returns the words of the command. They contain the source of the script if `full` is true, else
// its digest.
func (c *call) words(full bool) []any {
	words := make([]any, 0, 3+len(c.keys)+len(c.args))
	if full {
		words = append(words, "eval", c.script.src, len(c.keys))
	} else {
		words = append(words, "evalsha", c.script.sha, len(c.keys))
	}
	for _, key := range c.keys {
		words = append(words, key)
	}
	return append(words, c.args...)
}

// take stores the result of a command. A command that was not sent has no value and no error, and
// gets the error of the pipeline. If a command has both a value and an error, another node of the
// Redis cluster timed out after the reply, so take uses the value. An empty list with an error is
// an incomplete reply.
func (c *call) take(cmd *redis.Cmd, execErr error) {
	val, err := cmd.Result()
	reply, ok := val.([]any)
	switch {
	case err != nil && (val == nil || ok && len(reply) == 0):
		c.reply, c.err = nil, err
	case ok:
		c.reply, c.err = reply, nil
	case val != nil:
		c.reply, c.err = []any{val}, nil
	case execErr != nil:
		c.reply, c.err = nil, execErr
	default:
		c.reply, c.err = nil, errors.New("empty reply")
	}
}

// firstError returns the first error of the calls, prefixed with `verb`, or nil.
func firstError(verb string, calls []*call) error {
	for _, c := range calls {
		if c.err != nil {
			return fmt.Errorf("queue: %s: %w", verb, c.err)
		}
	}
	return nil
}
