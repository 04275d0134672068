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

// PerformNow makes the given keys due now if they wait for a later time or for a retry. It returns how
// many keys it made due. Other keys and all retry counts stay unchanged.
func (a *Admin) PerformNow(ctx context.Context, queue string, keys ...string) (int, error) {
	return a.performNow(ctx, queue, keys, nil)
}

// performNow does the same as PerformNow. If `runAt` is not nil, it skips each key whose run-at differs
// from the one that `runAt` has for it.
func (a *Admin) performNow(ctx context.Context, queue string, keys []string, runAt map[string]int64) (int, error) {
	return a.byKey(ctx, queue, "perform now", keys, func(k *shardKeys, part []any) *call {
		args := []any{a.now(), a.keys.wake(queue), k.id.name(), map[bool]int{true: 1}[runAt != nil]}
		for _, key := range part {
			if args = append(args, key); runAt != nil {
				args = append(args, runAt[key.(string)])
			}
		}
		return &call{script: performNowScript, keys: []string{k.due, k.wait}, args: args}
	})
}
