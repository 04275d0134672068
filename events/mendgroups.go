package events

import (
	"context"
	_ "embed"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/zero_groups.sql
	zeroGroupsSQL string
	//go:embed sql/mend_groups.sql
	mendGroupsSQL string
	//go:embed sql/unexplained.sql
	unexplainedSQL string
)

// mendGroups counts the causes of a task's errors anew. A group keeps the text of its
// fault; a group that was lost gets the text from the message log of its first row.
func mendGroups(ctx context.Context, tx ledger.Tx, num int64) error {
	for _, text := range []string{zeroGroupsSQL, mendGroupsSQL} {
		args := ledger.Args{"num": num}
		if text == mendGroupsSQL {
			args = bounds(num)
		}
		if _, err := tx.Exec(ctx, text, args); err != nil {
			return err
		}
	}
	if err := dropEmpty(ctx, tx, num); err != nil {
		return err
	}
	lost, err := unexplained(ctx, tx, num)
	if err != nil {
		return err
	}
	return lost.run(ctx, tx, groupSQL)
}

// unexplained returns the groups of a task that have no text, with the text of their first
// row and no rows.
func unexplained(ctx context.Context, tx ledger.Tx, num int64) (bunches, error) {
	out := bunches{}
	err := tx.Query(ctx, unexplainedSQL, bounds(num), func(scan ledger.Scan) error {
		k := cause{num: num}
		var n bunch
		var e Event
		e.Messages = new(string)
		err := scan(&k.status, &k.code, &k.col, &k.print, &n.first, e.Messages)
		if last := e.LastFault(); last != nil {
			n.fault = last.why(k.print)
			out[k] = n
		}
		return err
	})
	return out, err
}
