package events

import (
	"context"
	_ "embed"
	"maps"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/count.sql
	countSQL string
	//go:embed sql/complete.sql
	completeSQL string
	//go:embed sql/ascend.sql
	ascendSQL string
	//go:embed sql/close_feed.sql
	closeFeedSQL string
)

// delta is by how much the counts of a task move.
type delta struct {
	by       map[Status]int64
	retrying int64
	bad      int     // arrivals at failed and error
	dead     []int64 // seqs of those at error
}

func deltas(changes []change) map[int64]*delta {
	out := map[int64]*delta{}
	for _, c := range changes {
		d := out[c.num]
		if d == nil {
			d = &delta{by: map[Status]int64{}}
			out[c.num] = d
		}
		d.by[c.from]--
		d.by[c.to]++
		if c.fromRetry {
			d.retrying--
		}
		if c.toRetry {
			d.retrying++
		}
		if c.to.Bad() {
			d.bad++
		}
		if c.to == Error {
			d.dead = append(d.dead, c.seq)
		}
	}
	return out
}

// count moves the counts of all tasks that changes belong to, the youngest
// first, so that two groups do not wait for each other crosswise: a task is
// younger than its parent, which it locks when it ends.
func (s *Store) count(ctx context.Context, tx ledger.Tx, changes []change) error {
	all := deltas(changes)
	for _, num := range slices.Backward(slices.Sorted(maps.Keys(all))) {
		d := all[num]
		var left int64
		var final bool
		err := tx.Query(ctx, countSQL, ledger.Args{
			"num": num, "now": s.now().UnixMilli(), "retrying": d.retrying,
			"enqueue": d.by[Enqueue], "working": d.by[Working], "finish": d.by[Finish],
			"failed": d.by[Failed], "error": d.by[Error], "canceled": d.by[Canceled],
		}, func(scan ledger.Scan) error { return scan(&left, &final) })
		if err != nil {
			return err
		}
		if err := s.noticeBad(ctx, tx, num, d); err != nil {
			return err
		}
		if left > 0 || !final {
			continue
		}
		if err := s.complete(ctx, tx, num); err != nil {
			return err
		}
	}
	return nil
}

// complete ends a task if nothing of it is left to do, and then its parent, if
// that has waited only for it; each is told of.
func (s *Store) complete(ctx context.Context, tx ledger.Tx, num int64) error {
	for {
		parent, ended, err := s.end(ctx, tx, num)
		if err != nil || !ended || parent == 0 {
			return err
		}
		num = parent
		args := ledger.Args{"num": num, "now": s.now().UnixMilli()}
		if _, err := tx.Exec(ctx, ascendSQL, args); err != nil {
			return err
		}
	}
}

// end ends one task if nothing of it is left to do.
func (s *Store) end(ctx context.Context, tx ledger.Tx, num int64) (parent int64, ended bool, err error) {
	args := ledger.Args{"num": num, "now": s.now().UnixMilli()}
	err = tx.Query(ctx, completeSQL, args, func(scan ledger.Scan) error {
		ended = true
		return scan(&parent)
	})
	if err != nil || !ended {
		return 0, false, err
	}
	if _, err = tx.Exec(ctx, closeFeedSQL, ledger.Args{"num": num}); err != nil {
		return 0, false, err
	}
	if err = forget(ctx, tx, NewID(num, 0), NewID(num+1, 0)-1); err != nil {
		return 0, false, err
	}
	return parent, true, s.notice(ctx, tx, num, topicFinished, "")
}
