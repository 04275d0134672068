package recount

import (
	"context"
	_ "embed"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/zero_groups.sql
	zeroGroupsSQL string
	//go:embed sql/repair_groups.sql
	repairGroupsSQL string
)

// repairGroups counts the rows of each error group of a task again. A group keeps the text of its fault.
// A group that was missing gets the text from the message log of its first row, if this log has a fault.
func repairGroups(ctx context.Context, tx ledger.Tx, num int64) error {
	for _, text := range []string{zeroGroupsSQL, repairGroupsSQL} {
		args := ledger.Args{"num": num}
		if text == repairGroupsSQL {
			args = events.Bounds(num)
		}
		if _, err := tx.Exec(ctx, text, args); err != nil {
			return err
		}
	}
	if err := events.DropEmptyGroups(ctx, tx, num); err != nil {
		return err
	}
	return events.ExplainGroups(ctx, tx, num)
}
