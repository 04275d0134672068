package audit

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/expire.sql
var expireSQL string

// Expire deletes up to `limit` entries whose age exceeds the argument `keep`, and returns their
// number. It does not delete entries about tasks, which are deleted with their task.
func (l *Log) Expire(ctx context.Context, keep time.Duration, limit int) (deleted int64, err error) {
	args := ledger.Args{"before": l.now().Add(-keep).UnixMilli(), "most": limit}
	if deleted, err = l.db.Writer().Exec(ctx, expireSQL, args); err != nil {
		return 0, fmt.Errorf("audit: expire: %w", err)
	}
	return deleted, nil
}
