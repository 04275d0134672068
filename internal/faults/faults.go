// Package faults reads which rows of tasks ended with system faults, grouped by the fingerprint of the
// fault. It only reads: package events records the faults.
package faults

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/groups.sql
	groupsSQL string
	//go:embed sql/times.sql
	timesSQL string
)

// Group is a group of rows that ended with system faults of one fingerprint, in one task.
type Group struct {
	Num   int64 // of the task
	Print string
	Fault string // type and text of one of the faults
	Rows  int64  // without skipped and accepted rows
}

// Groups returns the groups of system faults of the tasks whose numbers are in `nums`. It omits groups
// whose Rows would be 0, and rows without a fingerprint.
func Groups(ctx context.Context, db *ledger.DB, nums []int64) ([]Group, error) {
	out, err := ledger.List(ctx, db.Reader(), groupsSQL, ledger.Args{"nums": nums},
		func(scan ledger.Scan, g *Group) error { return scan(&g.Num, &g.Print, &g.Fault, &g.Rows) })
	if err != nil {
		return nil, fmt.Errorf("faults: groups: %w", err)
	}
	return out, nil
}

// Time is the time when a row ended with a system fault.
type Time struct {
	Print string
	At    int64 // unix ms
}

// Times returns when rows of a task ended with a system fault, in file order. The argument
// `most` limits the number of rows. A row without a fingerprint has a zero Time.
func Times(ctx context.Context, db *ledger.DB, num int64, most int) ([]Time, error) {
	args := ledger.Args{"low": int64(events.NewID(num, 0)), "high": int64(events.NewID(num+1, 0)), "most": most}
	out, err := ledger.List(ctx, db.Reader(), timesSQL, args, func(scan ledger.Scan, f *Time) error {
		var print *string
		var at *int64
		err := scan(&print, &at)
		if print != nil && at != nil {
			f.Print, f.At = *print, *at
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("faults: times of task %d: %w", num, err)
	}
	return out, nil
}
