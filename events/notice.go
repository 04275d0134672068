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

// The topics of notifications about a task, as package tasks defines them for its outbox.
const (
	topicFinished     = "task.finished"
	topicFirstFailure = "task.first_failure"
	topicExhausted    = "jobs.exhausted"
	topicExportReady  = "export.ready"
)

// exhaustedAtOnce is the most jobs in one notice.
const exhaustedAtOnce = 100

// notice writes notices of tasks, in their state in this transaction, to the outbox. It skips tasks
// without a listener.
func (s *Store) notice(ctx context.Context, tx ledger.Tx, topic, detail string, nums ...int64) error {
	_, err := tx.Exec(ctx, noticeSQL, ledger.Args{
		"nums": nums, "topic": topic, "detail": detail, "now": s.now().UnixMilli(),
		"silent": append([]string{}, s.silent[topic]...),
	})
	return err
}

// noticeBad adds notices of the first failure of a round, and of the jobs in error, which are not
// retried. It cancels a task with too many failed rows.
func (s *Store) noticeBad(ctx context.Context, tx ledger.Tx, num int64, d *delta) error {
	if d.bad == 0 {
		return nil
	}
	if err := s.overrun(ctx, tx, num); err != nil {
		return err
	}
	if err := s.notice(ctx, tx, topicFirstFailure, "", num); err != nil {
		return err
	}
	for seqs := range slices.Chunk(d.dead, exhaustedAtOnce) {
		detail, err := json.Marshal(seqs)
		if err != nil { // numbers always encode
			return err
		}
		if err := s.notice(ctx, tx, topicExhausted, string(detail), num); err != nil {
			return err
		}
	}
	return nil
}

// Exhausted returns which of the given jobs of a task are in error, in file
// order.
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
