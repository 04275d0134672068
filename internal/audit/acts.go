package audit

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/acts.sql
var actsSQL string

// Acts returns the entries about the last acts on the task with the number `num`, newest first, and whether there are
// fewer than `limit` acts. All entries with one act id, or of one resubmission, are one act. Acts leaves out the edits
// of single rows. It reads at most the last 5,000 entries.
func (l *Log) Acts(ctx context.Context, num int64, limit int) (out []Entry, all bool, err error) {
	subject := Task(num)
	for most := limit; ; most *= 8 {
		args := ledger.Args{"subject": subject, "most": most}
		if out, err = ledger.List(ctx, l.db.Reader(), actsSQL, args, scanEntry(subject)); err != nil {
			return nil, false, fmt.Errorf("audit: acts on task %d: %w", num, err)
		}
		acts, read := firstActs(out, limit)
		if acts == limit || len(out) < most {
			return out[:read], acts < limit, nil
		}
	}
}

// firstActs returns the number of acts in a list of entries, at most `limit`, and the number of entries about them.
func firstActs(list []Entry, limit int) (acts, read int) {
	known := map[string]bool{}
	for i := range list {
		id := cmp.Or(list[i].Detail.ActID, list[i].Detail.Rerun)
		if known[id] && id != "" {
			continue
		}
		if acts == limit {
			return acts, i
		}
		acts++
		known[id] = true
	}
	return acts, len(list)
}
