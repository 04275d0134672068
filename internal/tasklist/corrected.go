package tasklist

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/overtaken"
	"github.com/rollcall-dev/rollcall/tasks"
)

var (
	//go:embed sql/corrected.sql
	correctedSQL string
	//go:embed sql/overtaken.sql
	overtakenText string
	overtakenSQL  = overtaken.Complete(overtakenText)
	//go:embed sql/overtaken_errors.sql
	overtakenErrorsText string
	overtakenErrorsSQL  = overtaken.Complete(overtakenErrorsText)
)

// Corrected holds the numbers of an import's rows that users have corrected or skipped.
type Corrected struct {
	Ready   int64 // corrected rows that have not run
	Settled int64 // rows in error that are part of Ready or skipped

	// Overtaken is the number of rows in Ready that do not run, because a newer row of their key has
	// finished. It may be too low, since at most maxOvertaken bad rows are read.
	Overtaken int64
}

// maxOvertaken is the maximum number of bad rows that Corrected reads to compute Overtaken, for all imports together.
const maxOvertaken = 1000

// Corrected returns the corrected rows of imports by task number. It reads nothing if no import has bad rows. The
// function `ordered` reports whether newer rows of a kind supersede older rows.
func (l *List) Corrected(ctx context.Context, list []tasks.Task, ordered func(kind string) bool) (map[int64]Corrected, error) {
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
	left := maxOvertaken
	for i := range list {
		c := out[list[i].Num]
		if c.Ready == 0 || left <= 0 || !ordered(list[i].Kind) {
			continue
		}
		args, read := events.Bounds(list[i].Num), 0
		args["most"] = left
		if _, err := ledger.Row(ctx, l.db.Reader(), overtakenSQL, args, &read, &c.Overtaken); err != nil {
			return nil, fmt.Errorf("tasklist: overtaken rows: %w", err)
		}
		left -= read
		out[list[i].Num] = c
	}
	return out, nil
}

// Overtaken returns the field Corrected.Overtaken of one task. The argument `ready` is the number of its corrected rows.
func (l *List) Overtaken(ctx context.Context, t *tasks.Task, ready int64, ordered func(kind string) bool) (int64, error) {
	if ready == 0 {
		return 0, nil
	}
	corrected, err := l.Corrected(ctx, []tasks.Task{*t}, ordered)
	return corrected[t.Num].Overtaken, err
}

// CauseKey returns the key of a cause of rows in error for OvertakenErrors.
func CauseKey(code, column, print string) string { return code + "\n" + column + "\n" + print }

// OvertakenErrors returns, by CauseKey, the number of open rows in error that do not run again, because a newer row of
// their key has finished. It counts them among the first maxOvertaken bad rows of the task with number `num`.
func (l *List) OvertakenErrors(ctx context.Context, num int64) (map[string]int64, error) {
	args, out := events.Bounds(num), map[string]int64{}
	args["most"] = maxOvertaken
	err := l.db.Reader().Query(ctx, overtakenErrorsSQL, args, func(scan ledger.Scan) error {
		var code, column, print string
		var n int64
		err := scan(&code, &column, &print, &n)
		out[CauseKey(code, column, print)] = n
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("tasklist: overtaken rows in error: %w", err)
	}
	return out, nil
}
