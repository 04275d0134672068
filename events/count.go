package events

import (
	"cmp"
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
	bad      int     // arrivals at failed and error, without superseded and revoked rows
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
		if c.to.Bad() && c.res != Superseded && !c.revoked {
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
	var ended []int64
	for _, num := range slices.Backward(slices.Sorted(maps.Keys(all))) {
		d := all[num]
		var left int64
		var final bool
		_, err := ledger.Row(ctx, tx, countSQL, ledger.Args{
			"num": num, "now": s.now().UnixMilli(), "retrying": d.retrying,
			"enqueue": d.by[Enqueue], "working": d.by[Working], "finish": d.by[Finish],
			"failed": d.by[Failed], "error": d.by[Error], "canceled": d.by[Canceled],
		}, &left, &final)
		if err != nil {
			return err
		}
		if err := s.noticeBad(ctx, tx, num, d); err != nil {
			return err
		}
		if left > 0 || !final {
			continue
		}
		some, err := s.climb(ctx, tx, num)
		if err != nil {
			return err
		}
		ended = append(ended, some...)
	}
	return s.close(ctx, tx, ended)
}

// complete ends a task if nothing of it is left to do, and then its parent, if
// that has waited only for it; each is told of.
func (s *Store) complete(ctx context.Context, tx ledger.Tx, num int64) error {
	ended, err := s.climb(ctx, tx, num)
	if err != nil {
		return err
	}
	return s.close(ctx, tx, ended)
}

// climb ends a task and its parents, as far as nothing is left to do, and tells
// which: they are to be closed.
func (s *Store) climb(ctx context.Context, tx ledger.Tx, num int64) (ended []int64, err error) {
	for {
		parent, done, err := s.end(ctx, tx, num)
		if err != nil || !done {
			return ended, err
		}
		if ended = append(ended, num); parent == 0 {
			return ended, nil
		}
		num = parent
		args := ledger.Args{"num": num, "now": s.now().UnixMilli()}
		if _, err := tx.Exec(ctx, ascendSQL, args); err != nil {
			return nil, err
		}
	}
}

// end ends one task if nothing of it is left to do.
func (s *Store) end(ctx context.Context, tx ledger.Tx, num int64) (parent int64, done bool, err error) {
	args := ledger.Args{"num": num, "now": s.now().UnixMilli()}
	done, err = ledger.Row(ctx, tx, completeSQL, args, &parent)
	return parent, done, err
}

// close does what goes with the end of tasks, for all of a group together: they
// have nothing to feed and need no checkpoints, and are told of.
func (s *Store) close(ctx context.Context, tx ledger.Tx, ended []int64) error {
	slices.SortFunc(ended, func(a, b int64) int { return cmp.Compare(b, a) })
	var feeds, checkpoints, notices []ledger.Args
	now := s.now().UnixMilli()
	for _, num := range ended {
		feeds = append(feeds, ledger.Args{"num": num})
		checkpoints = append(checkpoints, bounds(num))
		notices = append(notices, ledger.Args{"num": num, "topic": topicFinished, "detail": "", "now": now})
	}
	if _, err := ledger.ExecEach(ctx, tx, closeFeedSQL, feeds); err != nil {
		return err
	}
	if _, err := ledger.ExecEach(ctx, tx, forgetSQL, checkpoints); err != nil {
		return err
	}
	_, err := ledger.ExecEach(ctx, tx, noticeSQL, notices)
	return err
}
