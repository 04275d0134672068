package queue

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/redis/go-redis/v9"
)

var (
	//go:embed lua/exempt.lua
	exemptLua    string
	exemptScript = newScript("exempt", exemptLua)
)

// exempt.lua runs one of these commands first, according to the type of the Redis key. The command
// changes no value, but Redis accepts it at the memory limit, and then also accepts the command that
// follows.
const (
	onHash   = "HDEL"
	onSet    = "SREM"
	onZset   = "ZREM"
	onString = "PERSIST"
)

// exempt returns a call of a write command that Redis accepts even at its memory limit. Heartbeats,
// and operator actions that free memory, need such commands.
func exempt(on, command, key string, args ...any) *call {
	return &call{script: exemptScript, keys: []string{key}, args: append([]any{on, command}, args...)}
}

// runExempt runs exempt commands in one round trip and returns the first error.
func runExempt(ctx context.Context, rdb redis.UniversalClient, what string, calls ...*call) error {
	runCalls(ctx, rdb, calls)
	for _, c := range calls {
		if c.err != nil {
			return fmt.Errorf("queue: %s: %w", what, c.err)
		}
	}
	return nil
}
