package tasks

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/rebuild.sql
	rebuildSQL string
	//go:embed sql/mark_redis.sql
	markRedisSQL string
	//go:embed sql/redis_mark.sql
	redisMarkSQL string
)

// settling is how long a process that has changed the mark may take to tell
// Redis.
const settling = 2 * time.Second

// RedisMark is the mark that the Redis in use must carry. A Redis with another
// one, or none, is not the one that was fed: see Rebuild.
func (s *Store) RedisMark(ctx context.Context) (string, error) {
	var mark string
	err := s.db.View(ctx, func(tx ledger.Tx) error {
		return tx.Query(ctx, redisMarkSQL, nil, func(scan ledger.Scan) error { return scan(&mark) })
	})
	if err != nil {
		return "", fmt.Errorf("tasks: redis mark: %w", err)
	}
	return mark, nil
}

// Rebuild has everything fed again that was fed and is not at rest, and replaces the mark
// last by next, which the caller then gives to Redis. It returns false, having
// changed nothing, when another process did it first, or a moment ago.
func (s *Store) Rebuild(ctx context.Context, last, next string) (bool, error) {
	var won bool
	err := s.db.InTx(ctx, func(tx ledger.Tx) error {
		now := s.now()
		n, err := tx.Exec(ctx, markRedisSQL, ledger.Args{
			"last": last, "next": next,
			"now": now.UnixMilli(), "before": now.Add(-settling).UnixMilli(),
		})
		if err != nil {
			return err
		}
		if won = n == 1; !won {
			return nil
		}
		_, err = tx.Exec(ctx, rebuildSQL, nil)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("tasks: rebuild: %w", err)
	}
	return won, nil
}
