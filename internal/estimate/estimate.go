// Package estimate estimates how long the rows of a new task take, from the last tasks of their kind.
//
// It uses the time until half of the rows had ended, and only rows that ran once. Retries, and
// resubmissions by users days later, therefore do not distort the estimate.
package estimate

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"math"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

// rateTasks is how many of the last tasks of a kind an estimate reads. rateRows is how many rows of a
// task must have ended in the measured time. The estimate leaves out tasks with fewer such rows, and
// unfinished tasks.
const (
	rateTasks = 20
	rateRows  = 100
)

// mostSpread is the greatest allowed ratio of the time per row at the third quartile to that at the
// first. mostBeyond is the greatest allowed ratio of estimated rows to measured rows.
const (
	mostSpread = 4
	mostBeyond = 10
)

// sampledRows is how many rows of a task are read, at equal distances.
const sampledRows = 100

// pace holds the mean time per row of one task, in ms, and the estimated number of rows that ended in the
// measured time.
type pace struct {
	each float64
	rows int64
}

// Seconds returns the expected time of `rows` rows, in seconds. It is their number times the median
// time of a row in the last 20 tasks of the kind. It returns nil if the measured rows are less than
// a tenth of `rows`, or if the time at the third quartile is more than 4 times the time at the first.
func Seconds(ctx context.Context, ts *tasks.Store, es *events.Store, f tasks.Filter, tenant string, rows int64) (*int64, error) {
	f.Limit = rateTasks
	last, err := ts.List(ctx, tenant, f)
	if err != nil {
		return nil, err
	}
	paces, err := pacesOf(ctx, es, last)
	if err != nil {
		return nil, err
	}
	each, ok := typicalPace(paces, rows)
	if !ok {
		return nil, nil //nolint:nilnil // no estimate
	}
	seconds := int64(math.Ceil(float64(rows) * each / 1000))
	return &seconds, nil
}

// pacesOf returns the paces of the done tasks in which at least rateRows rows ended in the measured time.
// It reads the sampled rows that ended in their first attempt: later attempts may have waited for a
// retry. A pace covers the time from the start of the task until half of these rows had ended. Later rows
// may have waited for a user.
func pacesOf(ctx context.Context, es *events.Store, last []tasks.Task) (out []pace, err error) {
	last = slices.DeleteFunc(last, func(t tasks.Task) bool {
		return !t.Status.Done() || t.StartedAt == 0 || t.Total < rateRows
	})
	var ids []events.ID
	for i := range last {
		ids = append(ids, sampleOf(&last[i])...)
	}
	ends, err := firstEnds(ctx, es.DB(), ids)
	if err != nil {
		return nil, err
	}
	for _, t := range last {
		list := ends[t.Num]
		if len(list) == 0 {
			continue
		}
		half := list[len(list)/2]
		until, _ := slices.BinarySearch(list, half+1)
		if ran := int64(until) * t.Total / sampledRows; ran >= rateRows {
			out = append(out, pace{float64(max(half-t.StartedAt, 1)) / float64(ran), ran})
		}
	}
	return out, nil
}

//go:embed sql/first_ends.sql
var firstEndsSQL string

// firstEnds returns, by task number, the sorted times at which the rows in `ids` ended in their first
// attempt. The times are in unix ms. Other rows are left out.
func firstEnds(ctx context.Context, db *ledger.DB, ids []events.ID) (map[int64][]int64, error) {
	out := map[int64][]int64{}
	if len(ids) == 0 {
		return out, nil
	}
	var list []struct{ Num, EndedAt int64 }
	err := db.Read.WithContext(ctx).Raw(ledger.Plain(firstEndsSQL), map[string]any{"ids": ids}).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("estimate: ends of rows: %w", err)
	}
	for _, row := range list {
		out[row.Num] = append(out[row.Num], row.EndedAt)
	}
	return out, nil
}

// sampleOf returns the ids of sampledRows rows of a task, from its first row to its last.
func sampleOf(t *tasks.Task) []events.ID {
	ids := make([]events.ID, sampledRows)
	for i := range ids {
		ids[i] = events.NewID(t.Num, 1+int64(i)*(t.Total-1)/(sampledRows-1))
	}
	return ids
}

// typicalPace returns the median time of a row. It returns false if `rows` exceeds mostBeyond times the
// rows of the paces. The same holds if the third quartile of the time exceeds mostSpread times the first.
func typicalPace(paces []pace, rows int64) (each float64, ok bool) {
	slices.SortFunc(paces, func(a, b pace) int { return cmp.Compare(a.each, b.each) })
	total := int64(0)
	for _, p := range paces {
		total += p.rows
	}
	if total == 0 || rows > mostBeyond*total {
		return 0, false
	}
	low, middle, high := quantile(paces, total/4), quantile(paces, total/2), quantile(paces, 3*total/4)
	return middle, high <= mostSpread*low
}

// quantile returns the time per row of the row with the index `at`, among the rows of all paces. The
// paces are sorted by this time.
func quantile(sorted []pace, at int64) float64 {
	for _, p := range sorted {
		if at -= p.rows; at < 0 {
			return p.each
		}
	}
	return sorted[len(sorted)-1].each
}
