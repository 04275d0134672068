package tasks

import (
	"context"
	_ "embed"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/lock_lanes.sql
	lockLanesSQL string
	//go:embed sql/lock_slots.sql
	lockSlotsSQL string
	//go:embed sql/slots.sql
	slotsSQL string
)

// LockSlots serializes the transactions that take slots of a tenant.
func LockSlots(ctx context.Context, tx ledger.Tx, tenant string) error {
	_, err := tx.Exec(ctx, lockSlotsSQL, ledger.Args{"tenant": tenant})
	return err
}

// SlotsIn returns the slots of a tenant and how many of them are taken, for the tasks with numbers
// nums (",7,8,") of a lane.
func SlotsIn(ctx context.Context, tx ledger.Tx, tenant string, lane int64, nums string) (slots, taken int64, err error) {
	_, err = ledger.Row(ctx, tx, slotsSQL, ledger.Args{"tenant": tenant, "lane": lane, "nums": nums}, &slots, &taken)
	return slots, taken, err
}

// LockLanes locks the lanes of a tenant; "" means of all tenants. Transactions that change several
// lanes call it first.
func LockLanes(ctx context.Context, tx ledger.Tx, tenant string) error {
	var none int64
	_, err := ledger.List(ctx, tx, lockLanesSQL, ledger.Args{"tenant": tenant}, func(scan ledger.Scan, _ *struct{}) error {
		return scan(&none)
	})
	return err
}
