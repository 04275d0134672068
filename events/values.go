package events

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/values.sql
var valuesSQL string

// Value is a text at fault, and how many open rows of a cause have it.
type Value struct {
	Code, Col string // the cause
	Text      string // as Event.Value; empty: the cell is empty, or the fault has no value
	Count     int64
	FirstRow  int
	Texts     int64 // how many texts the cause has
	Seen      int64 // how many open rows of the cause were read
}

// maxValued is how many bad rows Values reads.
const maxValued = 1000

// Values returns the most frequent texts, up to most of each cause, of the open rows among the
// first 1,000 bad rows of the task with number num. Rows in error are left out: they have no text
// at fault.
func (s *Store) Values(ctx context.Context, num int64, most int) ([]Value, error) {
	args := ledger.Args{"low": int64(NewID(num, 0)), "high": int64(NewID(num+1, 0)), "rows": maxValued, "most": most}
	out, err := ledger.List(ctx, s.db.Reader(), valuesSQL, args, func(scan ledger.Scan, v *Value) error {
		return scan(&v.Code, &v.Col, &v.Text, &v.Count, &v.FirstRow, &v.Texts, &v.Seen)
	})
	if err != nil {
		return nil, fmt.Errorf("events: values of task %d: %w", num, err)
	}
	return out, nil
}
