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

// Cancel cancels the rows of a range that are in Enqueue, including retries, and returns their number.
// It skips the rows in `except`, which may be running. If the task then has no work left, Cancel ends
// it. If a user cancels a resubmission of rows, these rows end as Failed with CodeCanceled. The argument
// `unfed` must be true only if no row of the range was ever fed. Cancel reads every row of the range, so
// the range should have at most 5,000 rows.
func (s *Store) Cancel(ctx context.Context, r Range, unfed bool, except ...ID) (n int64, err error) {
	args := r.Args()
	args["now"], args["except"] = s.now().UnixMilli(), append([]ID{}, except...)
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		canceled, rerun, err := s.cancelRerun(ctx, tx, r, except)
		if n = canceled; rerun || err != nil {
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

// unfeed corrects the counts of a feed after `n` rows of a range were canceled. It subtracts the rows
// that waited to be fed again. If `unfed` is true, it also subtracts the rows that were never fed.
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

// Waiting returns the rows of a range that are in Enqueue. It sets only ID, Row, Key, Status and
// Attempt. It reads every row of the range, so the range should have at most 5,000 rows.
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

// cancelOverrun cancels a task if more rows than its MaxFailures have failed or are in error. Superseded
// rows do not count.
func (s *Store) cancelOverrun(ctx context.Context, tx ledger.Tx, num int64) error {
	n, err := tx.Exec(ctx, overrunSQL, ledger.Args{"num": num})
	if err == nil && n > 0 {
		err = feedrow.Place(ctx, tx, s.now(), num)
	}
	return err
}

// CountUnfinished counts the rows of a range that wait or run. It leaves out resubmitted rows that wait
// to be fed. It reads every row of the range, so the range should have at most 5,000 rows.
func (s *Store) CountUnfinished(ctx context.Context, r Range) (n int64, err error) {
	if _, err = ledger.Row(ctx, s.db.Reader(), holdingSQL, r.Args(), &n); err != nil {
		return 0, fmt.Errorf("events: rows of task %d not at rest: %w", r.Num, err)
	}
	return n, nil
}

//go:embed sql/reruns.sql
var rerunsSQL string

// CodeCanceled is the code of a resubmitted row that was canceled before it ran again.
const CodeCanceled = "CANCELED"

func revoked() *Failure {
	const sentence = "row.revoked"
	return &Failure{
		Code: CodeCanceled, Message: words.English(sentence, nil),
		Args: Args("").With(map[string]string{Sentence: sentence}),
	}
}

// reruns returns the tasks in `nums` that were done, run again after a resubmission, and are being
// canceled. It omits exports whose file is not stored.
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

// revoke replaces Canceled with Failed in the moves of the tasks that reruns returns. Users can then decide
// about these rows again, as before the resubmission.
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

// cancelRerun does the work of Cancel for a task that reruns returns. For any other task it changes
// nothing, and the result `rerun` is false.
func (s *Store) cancelRerun(ctx context.Context, tx ledger.Tx, r Range, except []ID) (n int64, rerun bool, err error) {
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

// Range is a sequence of rows of a task: the rows with a seq above After, up to Last.
type Range struct {
	Num   int64
	After int64
	Last  int64

	// Back makes pending.Store.Pending also return resubmitted rows that wait to be fed again.
	Back bool
}

// Args returns the bounds of the range as the SQL arguments `low` (excluded) and `high` (included).
func (r Range) Args() ledger.Args {
	return ledger.Args{"low": int64(NewID(r.Num, r.After)), "high": int64(NewID(r.Num, r.Last))}
}

// Withdrawn holds the rows that Withdraw has canceled.
type Withdrawn struct {
	IDs  map[ID]bool
	Back int64 // number of resubmitted rows in IDs that waited to be fed again
}

// Withdraw cancels rows of a task that are still in Enqueue with the given attempt, in the transaction
// of the caller. It skips other rows. A resubmitted row ends as Failed with CodeCanceled, so that users
// can decide about it again. If the task then has no work left, Withdraw ends it. The caller must
// prevent workers from starting the rows. Withdraw subtracts Withdrawn.Back from the stored number of
// rows that wait to be fed again. The caller changes the feed's other counts. Withdraw adds a note with
// the actor `by` to the message log of each canceled row.
func (s *Store) Withdraw(ctx context.Context, tx ledger.Tx, num int64, rows []Event, by string) (out Withdrawn, err error) {
	moves := make([]Move, len(rows))
	for i := range rows {
		moves[i] = withdrawal(&rows[i], s.now().UnixMilli(), by)
	}
	first, err := unique(moves)
	if err != nil {
		return out, err
	}
	made, err := s.record(ctx, tx, first, len(moves))
	if err != nil {
		return out, fmt.Errorf("events: withdraw rows of task %d: %w", num, err)
	}
	out.IDs = map[ID]bool{}
	var seqs []int64
	for i := range made {
		if made[i] {
			out.IDs[rows[i].ID] = true
			seqs = append(seqs, rows[i].ID.Seq())
		}
	}
	if len(seqs) == 0 {
		return out, nil
	}
	waited, err := ledger.Bulk(ctx, tx, unwaitSQL, ledger.Args{"num": num, "seqs": seqs})
	if out.Back = int64(ledger.Count(waited)); err == nil && out.Back > 0 {
		_, err = tx.Exec(ctx, unfeedSQL, ledger.Args{"num": num, "rows": int64(0), "back": out.Back})
	}
	return out, err
}

func withdrawal(e *Event, now int64, by string) Move {
	m := Move{
		ID: e.ID, Row: e.Row, From: Enqueue, FromAttempt: e.Attempt, To: Canceled, Attempt: e.Attempt, FinishedAt: now,
	}
	if e.Resolution != nil && *e.Resolution == Resubmitted {
		m.To, m.Failure, m.revoked = Failed, revoked(), true
	}
	m.Notes = []Note{{At: now, Attempt: e.Attempt, Status: m.To, Text: "canceled by " + by, Act: "cancel", By: by}}
	return m
}
