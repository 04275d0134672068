package tasklist

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

//go:embed sql/corrected.sql
var correctedSQL string

// Corrected holds the numbers of an import's rows that users have corrected or skipped.
type Corrected struct {
	Ready   int64 // corrected rows that have not run
	Settled int64 // rows in error that are part of Ready or skipped
}

// Corrected returns the numbers of corrected rows of imports, by task number. It queries the ledger only
// if an import has failed rows or rows in error.
func (l *List) Corrected(ctx context.Context, list []tasks.Task) (map[int64]Corrected, error) {
	var nums []int64
	for i := range list {
		if list[i].Failed > list[i].Superseded || list[i].Error > 0 {
			nums = append(nums, list[i].Num)
		}
	}
	if len(nums) == 0 {
		return nil, nil
	}
	out := map[int64]Corrected{}
	err := l.db.Reader().Query(ctx, correctedSQL, ledger.Args{"nums": nums}, func(scan ledger.Scan) error {
		var num int64
		var c Corrected
		err := scan(&num, &c.Ready, &c.Settled)
		out[num] = c
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("tasklist: corrected rows: %w", err)
	}
	return out, nil
}
