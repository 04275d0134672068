package audit

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/acts.sql
var actsSQL string

// Acts returns up to `limit` entries about the task with the number `num`, newest first. It leaves
// out the edits of single rows. It reads at most the last 5,000 entries.
func (l *Log) Acts(ctx context.Context, num int64, limit int) ([]Entry, error) {
	subject := Task(num)
	out, err := ledger.List(ctx, l.db.Reader(), actsSQL, ledger.Args{"subject": subject, "most": limit}, scanEntry(subject))
	if err != nil {
		return nil, fmt.Errorf("audit: acts on task %d: %w", num, err)
	}
	return out, nil
}
