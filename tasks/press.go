package tasks

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/last_press.sql
var lastPressSQL string

// Press is an edit of many rows at once, as the audit has it: an entry for each
// row, which names the press.
type Press struct {
	ID   string
	Rows int64 // how many rows it has edited
	Last int64 // Num of its last entry; the others lie before it
}

// recentActs is how many acts on a task are looked through for a press.
const recentActs = 20_000

// LastPress is the last press of somebody on the task with number num; with an id
// only if it has that id. False if there is none among the last 20,000 acts.
func (s *Store) LastPress(ctx context.Context, num int64, by, id string) (p Press, ok bool, err error) {
	var e Entry
	args := ledger.Args{"num": num, "by": by, "press": pressMark(id), "most": recentActs}
	err = s.db.View(ctx, func(tx ledger.Tx) error {
		return tx.Query(ctx, lastPressSQL, args, func(scan ledger.Scan) error {
			return scan(&e.Num, &e.Act, &e.Detail)
		})
	})
	if err != nil {
		return p, false, fmt.Errorf("tasks: last press on %d: %w", num, err)
	}
	p.ID, p.Rows = e.PressOf()
	p.Last = e.Num
	return p, p.ID != "" && (id == "" || p.ID == id), nil
}

// pressMark is in the detail of each edit of a press: no text of a cell can look
// like it, for its quotes are escaped, and cells are texts.
func pressMark(id string) string { return `"press":{"id":"` + id }

// PressOf is the press that an edit belongs to, and its number there, from 1 in the
// order of the rows. The id is empty if it belongs to none.
func (e *Entry) PressOf() (id string, n int64) {
	if !strings.Contains(e.Detail, pressMark("")) {
		return "", 0
	}
	var detail struct {
		Press struct {
			ID string
			N  int64
		}
	}
	if json.Unmarshal([]byte(e.Detail), &detail) != nil {
		return "", 0
	}
	return detail.Press.ID, detail.Press.N
}
