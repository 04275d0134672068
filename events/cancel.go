package events

import (
	"context"
	_ "embed"
	"fmt"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/feedrow"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/words"
)

var (
	//go:embed sql/cancel.sql
	cancelSQL string
	//go:embed sql/waiting.sql
	waitingSQL string
	//go:embed sql/unfeed.sql
	unfeedSQL string
	//go:embed sql/holding.sql
	holdingSQL string
	//go:embed sql/overrun.sql
	overrunSQL string
	//go:embed sql/unwait_range.sql
	unwaitRangeSQL string
)

// Cancel cancels the rows of a range that are in Enqueue, retries too, and returns their number. The
// last row that comes to rest ends the task. Cancel leaves out the rows of except, which may run. Rows
// of a task that was done and runs again end as Failed with CodeCanceled: see revoke. unfed is true if
// no row of the range was ever fed. The statement reads every row of the range: keep it to a few
// thousand.
func (s *Store) Cancel(ctx context.Context, r Range, unfed bool, except ...ID) (n int64, err error) {
	args := r.Args()
	args["now"], args["except"] = s.now().UnixMilli(), append([]ID{}, except...)
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		again, is, err := s.cancelRerun(ctx, tx, r, except)
		if n = again; is || err != nil {
			return err
		}
		var changes []change
		err = tx.Query(ctx, cancelSQL, args, func(scan ledger.Scan) error {
			var attempt int
			err := scan(&attempt)
			changes = append(changes, change{
				num: r.Num, from: Enqueue, to: Canceled, fromRetry: attempt > 0,
			})
			return err
		})
		if err != nil {
			return err
		}
		n = int64(len(changes))
		if n == 0 {
			return s.Complete(ctx, tx, r.Num)
		}
		if err := r.unfeed(ctx, tx, n, unfed); err != nil {
			return err
		}
		return s.count(ctx, tx, changes)
	})
	if err != nil {
		return 0, fmt.Errorf("events: cancel rows of task %d: %w", r.Num, err)
	}
	return n, nil
}

// unfeed removes n rows of a range from the counts of its feed. None of these rows waits any more.
// unfed means that none of the rows was ever fed.
func (r Range) unfeed(ctx context.Context, tx ledger.Tx, n int64, unfed bool) error {
	back, err := tx.Exec(ctx, unwaitRangeSQL, ledger.Args{"num": r.Num, "after": r.After, "last": r.Last})
	if err != nil {
		return err
	}
	if n -= back; !unfed {
		n = 0
	}
	if n == 0 && back == 0 {
		return nil
	}
	_, err = tx.Exec(ctx, unfeedSQL, ledger.Args{"num": r.Num, "rows": n, "back": back})
	return err
}

// Waiting returns the rows of a range that are in Enqueue, with id, number in the file, key and
// attempt. It reads every row of the range: keep it to a few thousand.
func (s *Store) Waiting(ctx context.Context, r Range) ([]Event, error) {
	out, err := ledger.List(ctx, s.db.Reader(), waitingSQL, r.Args(), func(scan ledger.Scan, e *Event) error {
		e.Status = Enqueue
		return scan(&e.ID, &e.Row, &e.Key, &e.Attempt)
	})
	if err != nil {
		return nil, fmt.Errorf("events: rows of task %d that wait: %w", r.Num, err)
	}
	return out, nil
}

// overrun cancels a task that has more failed rows than its MaxFailures.
func (s *Store) overrun(ctx context.Context, tx ledger.Tx, num int64) error {
	n, err := tx.Exec(ctx, overrunSQL, ledger.Args{"num": num})
	if err == nil && n > 0 {
		err = feedrow.Place(ctx, tx, s.now(), num)
	}
	return err
}

// Holding counts the rows of a range that are not at rest. It reads every row of the range: keep it to
// a few thousand.
func (s *Store) Holding(ctx context.Context, r Range) (n int64, err error) {
	if _, err = ledger.Row(ctx, s.db.Reader(), holdingSQL, r.Args(), &n); err != nil {
		return 0, fmt.Errorf("events: rows of task %d not at rest: %w", r.Num, err)
	}
	return n, nil
}

//go:embed sql/reruns.sql
var rerunsSQL string

// CodeCanceled is the code of a row that did not run again because its re-run was canceled.
const CodeCanceled = "CANCELED"

// revoked returns the failure with CodeCanceled.
func revoked() *Failure {
	const sentence = "row.revoked"
	return &Failure{
		Code: CodeCanceled, Message: words.English(sentence, nil),
		Args: Args("").With(map[string]string{Sentence: sentence}),
	}
}

// reruns returns the tasks among nums that run again and are being canceled.
func reruns(ctx context.Context, tx ledger.Tx, nums ...int64) (map[int64]bool, error) {
	out := map[int64]bool{}
	err := tx.Query(ctx, rerunsSQL, ledger.Args{"nums": nums}, func(scan ledger.Scan) error {
		var num int64
		err := scan(&num)
		out[num] = true
		return err
	})
	return out, err
}

// revoke ends rows whose re-run was canceled as failed instead of canceled. The task was done before,
// so users can decide about these rows again.
func revoke(ctx context.Context, tx ledger.Tx, moves []Move) error {
	var nums []int64
	for i := range moves {
		if moves[i].To == Canceled {
			nums = append(nums, moves[i].ID.Num())
		}
	}
	if len(nums) == 0 {
		return nil
	}
	slices.Sort(nums)
	again, err := reruns(ctx, tx, slices.Compact(nums)...)
	for i := range moves {
		if m := &moves[i]; m.To == Canceled && again[m.ID.Num()] {
			m.To, m.Failure, m.revoked = Failed, revoked(), true
		}
	}
	return err
}

// cancelRerun is Cancel for a task that runs again. is is false for other tasks.
func (s *Store) cancelRerun(ctx context.Context, tx ledger.Tx, r Range, except []ID) (n int64, is bool, err error) {
	again, err := reruns(ctx, tx, r.Num)
	if err != nil || !again[r.Num] {
		return 0, false, err
	}
	var moves []Move
	err = tx.Query(ctx, waitingSQL, r.Args(), func(scan ledger.Scan) error {
		m := Move{From: Enqueue, To: Canceled, FinishedAt: s.now().UnixMilli()}
		var key string
		err := scan(&m.ID, &m.Row, &key, &m.FromAttempt)
		if m.Attempt = m.FromAttempt; !slices.Contains(except, m.ID) {
			moves = append(moves, m)
		}
		return err
	})
	if err != nil {
		return 0, true, err
	}
	if len(moves) == 0 {
		return 0, true, s.Complete(ctx, tx, r.Num)
	}
	for i := range moves {
		moves[i].at = i
	}
	n = int64(len(moves))
	if err := r.unfeed(ctx, tx, n, false); err != nil {
		return 0, true, err
	}
	_, err = s.record(ctx, tx, moves, len(moves))
	return n, true, err
}

// Range is a run of rows of a task: those above seq After, up to seq Last.
type Range struct {
	Num   int64
	After int64
	Last  int64

	// Back makes Pending include rows that were resubmitted and wait to be fed.
	Back bool
}

// Args returns the ids of the range as the arguments low and high.
func (r Range) Args() ledger.Args {
	return ledger.Args{"low": int64(NewID(r.Num, r.After)), "high": int64(NewID(r.Num, r.Last))}
}
