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
	//go:embed sql/take_slots.sql
	takeSlotsSQL string
	//go:embed sql/slots.sql
	slotsSQL string
)

// LockSlots locks the slots of a tenant, so that transactions take slots one after another. LockSlots
// does not wait: it returns false if another transaction has the lock. The other transaction takes
// slots, or adds tasks within the quotas of the tenant. LockSlots also returns false if the tenant has
// no stored limits.
func LockSlots(ctx context.Context, tx ledger.Tx, tenant string) (bool, error) {
	var slots int64
	return ledger.Row(ctx, tx, takeSlotsSQL, ledger.Args{"tenant": tenant}, &slots)
}

// SlotsIn returns the number of slots of a tenant, and how many are taken. 0 slots mean no limit. A push
// in progress takes as many slots as it may fill. A job stops taking a slot six to seven hours after its
// push, even if it has not ended. SlotsIn omits the pushes of the caller: the pushes of the given lane,
// and of the tasks in `nums`, such as ",7,8,".
func SlotsIn(ctx context.Context, tx ledger.Tx, tenant string, lane int64, nums string) (slots, taken int64, err error) {
	_, err = ledger.Row(ctx, tx, slotsSQL, ledger.Args{"tenant": tenant, "lane": lane, "nums": nums}, &slots, &taken)
	return slots, taken, err
}

// LockLanes locks the lanes of a tenant, or all lanes if `tenant` is "". Transactions that change
// several lanes call it first.
func LockLanes(ctx context.Context, tx ledger.Tx, tenant string) error {
	var none int64
	_, err := ledger.List(ctx, tx, lockLanesSQL, ledger.Args{"tenant": tenant}, func(scan ledger.Scan, _ *struct{}) error {
		return scan(&none)
	})
	return err
}
