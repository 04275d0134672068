package audit

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/last_press.sql
var lastPressSQL string

// Press is an edit of many rows at once: an entry for each row, which names it.
type Press struct {
	ID   string
	Rows int64 // how many rows it has edited
	Last int64 // Num of its last entry; the others lie before it
}

// recentActs is how many entries of a subject LastPress reads.
const recentActs = 20_000

// LastPress returns the last bulk edit of an actor on the task with number num. If id is
// not empty, ok is true only for the bulk edit with that id. ok is false if the last
// 20,000 acts contain no bulk edit.
func (l *Log) LastPress(ctx context.Context, num int64, actor, id string) (p Press, ok bool, err error) {
	var d Detail
	args := ledger.Args{"subject": Task(num), "actor": actor, "press": pressMark(id), "most": recentActs}
	if _, err = ledger.Row(ctx, l.db.Reader(), lastPressSQL, args, &p.Last, &d); err != nil {
		return p, false, fmt.Errorf("audit: last press on task %d: %w", num, err)
	}
	if d.Press == nil {
		return p, false, nil
	}
	p.ID, p.Rows = d.Press.ID, d.Press.N
	return p, id == "" || p.ID == id, nil
}

// pressMark is in the detail of each edit of a press. No text of a cell contains it,
// because quotes in cells are escaped.
func pressMark(id string) string { return `"press":{"id":"` + id }
