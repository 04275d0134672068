package tasks

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/note_deed.sql
	noteDeedSQL string
	//go:embed sql/end_deed.sql
	endDeedSQL string
	//go:embed sql/deeds.sql
	deedsSQL string
)

// Begun is the Touched of a deed whose end was not noted: it goes on, or the
// process died in it.
const Begun = -1

// Deed is what an operator did that is about no single task: to a queue, a node,
// the limits of a tenant.
type Deed struct {
	Num     int64 // grows with time; the cursor of a page
	At      int64 // unix ms
	Tenant  string
	Actor   string // who
	Act     string // such as pause or reshard
	Target  string // what it was done to
	Touched int64  // how many keys of the queue; Begun
	Detail  string // JSON; empty: nothing to add
}

// NoteDeed notes what an operator does, or begins to do. It returns its number.
func (s *Store) NoteDeed(ctx context.Context, d Deed) (num int64, err error) {
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		return tx.Query(ctx, noteDeedSQL, ledger.Args{
			"now": s.now().UnixMilli(), "tenant": d.Tenant, "actor": d.Actor, "act": d.Act,
			"target": d.Target, "touched": d.Touched, "detail": d.Detail,
		}, func(scan ledger.Scan) error { return scan(&num) })
	})
	if err != nil {
		return 0, fmt.Errorf("tasks: note %s of %q: %w", d.Act, d.Target, err)
	}
	return num, nil
}

// EndDeed notes what came of a deed; an empty detail leaves what there is.
func (s *Store) EndDeed(ctx context.Context, num, touched int64, detail string) error {
	return s.exec(ctx, "end deed", endDeedSQL, ledger.Args{
		"num": num, "touched": touched, "detail": detail,
	})
}

// Deeds returns what operators of a tenant did, newest first, up to limit with
// numbers below before; 0 is no bound.
func (s *Store) Deeds(ctx context.Context, tenant string, before int64, limit int) (out []Deed, err error) {
	if before == 0 {
		before = 1 << 62
	}
	err = s.db.View(ctx, func(tx ledger.Tx) error {
		out = nil
		return tx.Query(ctx, deedsSQL, ledger.Args{"tenant": tenant, "before": before, "most": limit},
			func(scan ledger.Scan) error {
				var d Deed
				err := scan(&d.Num, &d.At, &d.Tenant, &d.Actor, &d.Act, &d.Target, &d.Touched, &d.Detail)
				out = append(out, d)
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("tasks: deeds of %q: %w", tenant, err)
	}
	return out, nil
}
