package events

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/notice.sql
var noticeSQL string

// These are the topics of notices about a task. They equal the constants in package tasks.
const (
	topicFinished     = "task.finished"
	topicFirstFailure = "task.first_failure"
	topicProgress     = "task.progress"
	topicExhausted    = "jobs.exhausted"
	topicExportReady  = "export.ready"
)

// exhaustedAtOnce is the maximum number of jobs in one notice with topicExhausted.
const exhaustedAtOnce = 100

// notice writes a notice to the outbox for each of the tasks. The notice contains the state of the task in
// this transaction. notice skips a task if no callback, callback URL or webhook receives the topic. In each
// round of a task, it writes a topic at most once, except topicExhausted and topicProgress. A resubmission
// begins the next round.
func (s *Store) notice(ctx context.Context, tx ledger.Tx, topic, detail string, nums ...int64) error {
	_, err := tx.Exec(ctx, noticeSQL, ledger.Args{
		"nums": nums, "topic": topic, "detail": detail, "now": s.now().UnixMilli(),
		"silent": append([]string{}, s.silent[topic]...),
	})
	return err
}

// tenths is the number of parts into which progress notices divide the rows of a task.
const tenths = 10

// passesTenth reports whether a change completes another tenth of a task's rows. The argument `left` is the
// number of rows that wait or run after the change. The result is false at the end of a task, since the end
// has its own notice, and for fewer than ten rows.
func (d *delta) passesTenth(total, left int64) bool {
	after := total - left
	before := after - d.by[Finish] - d.by[Failed] - d.by[Error] - d.by[Canceled]
	return total >= tenths && left > 0 && tenths*after/total > tenths*before/total
}

// noticeBad writes the notice of the first failure of a round, and notices of the jobs that ended in
// error. It also cancels a task that exceeds its MaxFailures.
func (s *Store) noticeBad(ctx context.Context, tx ledger.Tx, num int64, d *delta) error {
	if d.bad == 0 {
		return nil
	}
	if err := s.cancelOverrun(ctx, tx, num); err != nil {
		return err
	}
	if err := s.notice(ctx, tx, topicFirstFailure, "", num); err != nil {
		return err
	}
	for seqs := range slices.Chunk(d.dead, exhaustedAtOnce) {
		detail, err := json.Marshal(seqs)
		if err != nil { // impossible: numbers can always be encoded
			return err
		}
		if err := s.notice(ctx, tx, topicExhausted, string(detail), num); err != nil {
			return err
		}
	}
	return nil
}

// Exhausted returns the jobs of a task that have the given seqs and are in error, in file order.
func (s *Store) Exhausted(ctx context.Context, num int64, seqs []int64) ([]Event, error) {
	ids := make([]ID, len(seqs))
	for i, seq := range seqs {
		ids[i] = NewID(num, seq)
	}
	out, err := s.find(ctx, s.db.Read.WithContext(ctx).Where("id IN ? AND status = ?", ids, Error).Order("id"))
	if err != nil {
		return nil, fmt.Errorf("events: exhausted jobs of task %d: %w", num, err)
	}
	return out, nil
}
