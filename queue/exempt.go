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

// Commands that change nothing, by the type of their key; see exempt.lua.
const (
	onHash   = "HDEL"
	onSet    = "SREM"
	onZset   = "ZREM"
	onString = "PERSIST"
)

// exempt returns a write command that a full Redis accepts, too. Heartbeats need it, and operators who
// make room.
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
