package audit

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/row.sql
var rowSQL string

// Row returns up to `limit` entries about one row, newest first. The argument `num` is the number
// of the task. Row leaves out acts on several rows at once.
func (l *Log) Row(ctx context.Context, num, seq int64, limit int) ([]Entry, error) {
	args := ledger.Args{"subject": Task(num), "seq": seq, "most": limit}
	out, err := ledger.List(ctx, l.db.Reader(), rowSQL, args, scanEntry(Task(num)))
	if err != nil {
		return nil, fmt.Errorf("audit: row %d of task %d: %w", seq, num, err)
	}
	return out, nil
}

// scanEntry returns a function that scans an audit entry of the subject.
func scanEntry(subject string) func(ledger.Scan, *Entry) error {
	return func(scan ledger.Scan, e *Entry) error {
		e.Subject = subject
		return scan(&e.Num, &e.At, &e.Actor, &e.Act, &e.Target, &e.Seq, &e.Touched, &e.Detail)
	}
}
