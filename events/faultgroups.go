package events

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/fault_groups.sql
	faultGroupsSQL string
	//go:embed sql/fault_times.sql
	faultTimesSQL string
)

// FaultGroup is a group of rows that ended with system faults of one fingerprint, in one task.
type FaultGroup struct {
	Num   int64 // of the task
	Print string
	Fault string // type and text of one of the faults
	Rows  int64  // without skipped and accepted rows
}

// FaultGroups returns the groups of system faults of the tasks with the numbers in `nums`, at most
// 1,000 numbers. It omits groups whose Rows would be 0, and rows without a fingerprint.
func (s *Store) FaultGroups(ctx context.Context, nums []int64) ([]FaultGroup, error) {
	out, err := ledger.List(ctx, s.db.Reader(), faultGroupsSQL, ledger.Args{"nums": nums},
		func(scan ledger.Scan, g *FaultGroup) error { return scan(&g.Num, &g.Print, &g.Fault, &g.Rows) })
	if err != nil {
		return nil, fmt.Errorf("events: groups of faults: %w", err)
	}
	return out, nil
}

// FaultTime is the time when a row ended with a system fault.
type FaultTime struct {
	Print string
	At    int64 // unix ms
}

// FaultTimes returns when rows of a task ended with a system fault, in file order. The argument
// `most` limits the number of rows. A row without a fingerprint has a zero FaultTime.
func (s *Store) FaultTimes(ctx context.Context, num int64, most int) ([]FaultTime, error) {
	args := ledger.Args{"low": int64(NewID(num, 0)), "high": int64(NewID(num+1, 0)), "most": most}
	out, err := ledger.List(ctx, s.db.Reader(), faultTimesSQL, args, func(scan ledger.Scan, f *FaultTime) error {
		var print *string
		var at *int64
		err := scan(&print, &at)
		if print != nil && at != nil {
			f.Print, f.At = *print, *at
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("events: times of faults of task %d: %w", num, err)
	}
	return out, nil
}
