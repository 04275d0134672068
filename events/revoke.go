package events

import (
	"context"
	_ "embed"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/words"
)

//go:embed sql/reruns.sql
var rerunsSQL string

// CodeCanceled is the code of a row that did not run again because its re-run was canceled.
const CodeCanceled = "CANCELED"

// revoked returns the failure of such a row.
func revoked() *Failure {
	const sentence = "row.revoked"
	return &Failure{
		Code: CodeCanceled, Message: words.English(sentence, nil),
		Args: Args("").With(map[string]string{Sentence: sentence}),
	}
}

// reruns returns which of some tasks run again and are being canceled.
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

// revoke has rows that a cancel keeps from running again end as failed instead of canceled:
// the task was done before, so a person may decide about them again.
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

// cancelRerun does what Cancel does if the task runs again; is is false if it does not.
func (s *Store) cancelRerun(ctx context.Context, tx ledger.Tx, r Range, except []ID) (n int64, is bool, err error) {
	again, err := reruns(ctx, tx, r.Num)
	if err != nil || !again[r.Num] {
		return 0, false, err
	}
	var moves []Move
	err = tx.Query(ctx, waitingSQL, r.args(), func(scan ledger.Scan) error {
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
