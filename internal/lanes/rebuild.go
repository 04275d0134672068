package lanes

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

var (
	//go:embed sql/rebuild_lanes.sql
	rebuildLanesSQL string
	//go:embed sql/rebuild.sql
	rebuildSQL string
	//go:embed sql/rebuild_back.sql
	rebuildBackSQL string
	//go:embed sql/back_all.sql
	backAllSQL string
	//go:embed sql/mark_redis.sql
	markRedisSQL string
	//go:embed sql/unmark_redis.sql
	unmarkRedisSQL string
	//go:embed sql/cancel_marks.sql
	cancelMarksSQL string
	//go:embed sql/marks.sql
	marksSQL string
)

// markTime is how long a process may take to set the generation mark in Redis after it has changed the mark
// in the ledger. Rebuild adds its argument `grace` to this time.
const markTime = 2 * time.Second

// Generations holds the generation mark and the number of cancels that a process reads before it feeds
// or runs a job.
type Generations struct {
	// Redis is the mark that the Redis in use must have. A Redis with another mark, or none, was not fed
	// from this ledger.
	Redis string

	// Cancels is a number that rises with each cancel of a task, of any tenant.
	Cancels int64
}

// Generations returns the generation mark and the number of cancels in the ledger.
func (s *Store) Generations(ctx context.Context) (m Generations, err error) {
	if _, err = ledger.Row(ctx, s.db.Reader(), marksSQL, nil, &m.Redis, &m.Cancels); err != nil {
		return Generations{}, fmt.Errorf("lanes: marks: %w", err)
	}
	return m, nil
}

// Rebuild schedules a second feeding of all fed rows that are not at rest. It replaces Generations.Redis,
// which must be the argument `last`, by the argument `next`. The caller then sets the mark in Redis after
// the duration `grace`, or at once if the ledger had no mark. Rebuild changes nothing and returns false if
// the ledger has another mark, or if its mark changed less than `grace` plus two seconds ago.
func (s *Store) Rebuild(ctx context.Context, last, next string, grace time.Duration) (bool, error) {
	var won bool
	err := s.db.InTx(ctx, func(tx ledger.Tx) error {
		now := s.now()
		n, err := tx.Exec(ctx, markRedisSQL, ledger.Args{
			"last": last, "next": next,
			"now": now.UnixMilli(), "before": now.Add(-grace - markTime).UnixMilli(),
		})
		if err != nil {
			return err
		}
		if won = n == 1; !won {
			return nil
		}
		if err := tasks.LockLanes(ctx, tx, ""); err != nil {
			return err
		}
		for _, text := range []string{rebuildLanesSQL, rebuildSQL, rebuildBackSQL, backAllSQL} {
			if _, err := tx.Exec(ctx, text, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return false, fmt.Errorf("lanes: rebuild: %w", err)
	}
	return won, nil
}

// LeaveRebuild allows another process to call Rebuild at once, without the wait after the last change
// of the mark. A process that ends before it has set the mark in Redis calls LeaveRebuild. After the
// end of ctx, LeaveRebuild continues for up to a second.
func (s *Store) LeaveRebuild(ctx context.Context, mark string) error {
	ctx, cancel := ledger.ReleaseContext(ctx)
	defer cancel()
	_, err := s.db.Writer().Exec(ctx, unmarkRedisSQL, ledger.Args{"mark": mark})
	if err != nil {
		return fmt.Errorf("lanes: leave rebuild: %w", err)
	}
	return nil
}

// CancelEpochs returns the cancel epochs by tenant. A cancel epoch rises with each cancel of a task of the
// tenant, and with each call of tasks.Store.CheckPushed. CancelEpochs leaves out tenants whose epoch is 0.
func (s *Store) CancelEpochs(ctx context.Context) (map[string]int64, error) {
	out := map[string]int64{}
	err := s.db.Reader().Query(ctx, cancelMarksSQL, nil, func(scan ledger.Scan) error {
		var tenant string
		var n int64
		err := scan(&tenant, &n)
		out[tenant] = n
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("lanes: cancel marks: %w", err)
	}
	return out, nil
}
