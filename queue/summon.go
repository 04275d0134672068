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

// PerformNow makes those of the given keys due that wait for a later time, also retries. Other keys
// stay unchanged. It returns the number of keys made due. Retry counts stay.
func (a *Admin) PerformNow(ctx context.Context, queue string, keys ...string) (int, error) {
	return a.byKey(ctx, queue, "perform now", keys, func(k *shardKeys, part []any) *call {
		return &call{
			script: performNowScript, keys: []string{k.due, k.wait},
			args: append([]any{a.now(), a.keys.wake(queue), k.id.name()}, part...),
		}
	})
}
