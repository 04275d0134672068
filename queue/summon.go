package queue

import (
	"context"
	_ "embed"
)

var (
	//go:embed lua/perform_now.lua
	performNowLua    string
	performNowScript = newScript("perform_now", preludeLua, performNowLua)
)

// PerformNow makes each given key that waits for a later time due now, including retries. It
// returns the number of these keys. Other keys and the retry counts stay unchanged.
func (a *Admin) PerformNow(ctx context.Context, queue string, keys ...string) (int, error) {
	return a.byKey(ctx, queue, "perform now", keys, func(k *shardKeys, part []any) *call {
		return &call{
			script: performNowScript, keys: []string{k.due, k.wait},
			args: append([]any{a.now(), a.keys.wake(queue), k.id.name()}, part...),
		}
	})
}
