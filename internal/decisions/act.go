package decisions

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base32"
	"errors"
	"fmt"
	"strconv"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/keep_act.sql
	keepActSQL string
	//go:embed sql/undo_rows.sql
	undoRowsSQL string
	//go:embed sql/undo_act.sql
	undoActSQL string
	//go:embed sql/begin_undo.sql
	beginUndoSQL string
	//go:embed sql/end_undo.sql
	endUndoSQL string
	//go:embed sql/act.sql
	actSQL string
	//go:embed sql/last_act.sql
	lastActSQL string
	//go:embed sql/row_act.sql
	rowActSQL string
	//go:embed sql/act_rows.sql
	actRowsSQL string
	//go:embed sql/act_sample.sql
	actSampleSQL string
)

// ActPatch is the value of the field Act for an act on a single row. ActGroup is the value for an act whose
// rows were changed one by one: see GroupID.
const (
	ActPatch = actPatch
	ActGroup = "group"
)

// ErrUndone is the error that a row cannot join an act, because the undo of the act has begun. Make the
// change as another act.
var ErrUndone = errors.New("decisions: the act was undone")

// Act is one act of a user on rows of a task. Users can undo it. Its rows do not include the rows that it
// has resubmitted.
type Act struct {
	Num      int64
	ID       string
	At       int64 // unix ms
	Actor    string
	Act      string // repair, skip, accept, open, resubmit, correct, undo, ActGroup or ActPatch
	Undoes   string // id of the act that it undoes; empty if none
	Rows     int64  // number of changed rows
	Undone   int64  // changed rows that an undo has restored
	UndoneBy string // id of the act that undoes it; empty if none was started
	UndoneAt int64  // when that undo ended, unix ms; 0 if it has not
	RunAt    int64  // when its rows run again, unix ms; 0 if they are not resubmitted automatically
	Fix      string // Fix as JSON; empty if the act replaced no values
}

func (a *Act) dest() []any {
	return []any{
		&a.Num, &a.ID, &a.At, &a.Actor, &a.Act, &a.Undoes, &a.Rows, &a.Undone, &a.UndoneBy, &a.UndoneAt,
		&a.RunAt, &a.Fix,
	}
}

// ActRow is a row that an act has changed.
type ActRow struct {
	ID      events.ID
	Version int // of the row after the act
	Was     PriorState
}

// Act returns the act with this id, or nil if there is none. The argument `num` is the number of the task.
func (s *Store) Act(ctx context.Context, num int64, id string) (*Act, error) {
	return s.act(ctx, actSQL, ledger.Args{"num": num, "id": id})
}

// LastAct returns the last act of the user `actor` on many rows of a task, or nil if there is none. The
// argument `num` is the number of the task.
func (s *Store) LastAct(ctx context.Context, num int64, actor string) (*Act, error) {
	return s.act(ctx, lastActSQL, ledger.Args{"num": num, "actor": actor})
}

// LastActOn returns the last act on a row. It returns nil if there is none, or if the row has changed
// since.
func (s *Store) LastActOn(ctx context.Context, e *events.Event) (*Act, error) {
	version := 0
	a, err := s.act(ctx, rowActSQL, ledger.Args{"id": int64(e.ID)}, &version)
	if version != e.Version {
		return nil, err
	}
	return a, err
}

func (s *Store) act(ctx context.Context, text string, args ledger.Args, more ...any) (*Act, error) {
	var a Act
	found, err := ledger.Row(ctx, s.db.Reader(), text, args, append(a.dest(), more...)...)
	if err != nil {
		return nil, fmt.Errorf("decisions: act: %w", err)
	}
	if !found {
		return nil, nil
	}
	return &a, nil
}

// ActRows returns up to `limit` rows of an act with ids below the argument `before`, in descending
// order. It leaves out rows that an undo has restored.
func (s *Store) ActRows(ctx context.Context, a *Act, before events.ID, limit int) ([]ActRow, error) {
	return s.actRows(ctx, a, actRowsSQL, ledger.Args{"act": a.Num, "before": int64(before), "most": limit})
}

// BeginUndo records that an undo of the act `a` has begun. The undo is itself an act, with the given id. If
// an earlier undo of `a` has begun, BeginUndo returns the id of the earlier undo, otherwise the given id.
// From then on, the rows of `a` are no longer resubmitted automatically. BeginUndo returns
// events.ErrNotFound if the act does not exist.
func (s *Store) BeginUndo(ctx context.Context, a *Act, id string) (by string, err error) {
	found, err := ledger.Row(ctx, s.db.Writer(), beginUndoSQL, ledger.Args{"act": a.Num, "by": id}, &by)
	if err == nil && !found {
		err = events.ErrNotFound
	}
	if err != nil {
		return "", fmt.Errorf("decisions: begin to undo act %s: %w", a.ID, err)
	}
	return by, nil
}

// EndUndo records that the undo of the act `a` has ended.
func (s *Store) EndUndo(ctx context.Context, a *Act) error {
	_, err := s.db.Writer().Exec(ctx, endUndoSQL, ledger.Args{"act": a.Num, "now": s.now().UnixMilli()})
	if err != nil {
		return fmt.Errorf("decisions: end of the undo of act %s: %w", a.ID, err)
	}
	return nil
}

var actRowColumns = []string{"act", "event_id", "version", "was"}

// GroupID returns the id of the act of an actor on rows of a task that a client changes one by one. The argument
// `name` is the client's name of the act. The same name by another actor, or on another task, means another act.
func GroupID(num int64, actor, name string) string {
	sum := sha256.Sum256([]byte(strconv.FormatInt(num, 10) + "/" + actor + "/" + name)) // a name has no slash
	return base32.StdEncoding.EncodeToString(sum[:])[:26]
}

// keepAct stores the previous state of the rows that a review has changed, for an undo. It leaves out
// resubmitted rows, and stores nothing for a review without an ActID. If the review undoes an act, keepAct
// also records which rows of that act the review has restored.
func (s *Store) keepAct(ctx context.Context, tx ledger.Tx, r Review, lane events.Lane, list []decided) error {
	var rows [][]any
	var ids []int64
	for i := range list {
		if d := &list[i]; d.Resolution != events.Resubmitted {
			was := wasOf(d)
			rows, ids = append(rows, []any{nil, int64(d.ID), d.Version + 1, was.json()}), append(ids, int64(d.ID))
		}
	}
	if r.ActID == "" || len(rows) == 0 {
		return nil
	}
	var act int64
	var undoneBy string
	_, err := ledger.Row(ctx, tx, keepActSQL, ledger.Args{
		"id": r.ActID, "num": r.Num, "now": s.now().UnixMilli(), "actor": r.By, "act": r.Act,
		"undoes": r.undoes(), "rows": len(rows), "fix": r.Fix.json(), "lane": r.Fix.lane(lane),
	}, &act, &undoneBy)
	if err == nil && undoneBy != "" && r.Act == ActGroup {
		err = ErrUndone
	}
	if err != nil {
		return err
	}
	if r.Act == ActGroup || r.Keys == OneRow || r.Keys.Supersedes() {
		if err := rejoin(ctx, tx, act, ids, rows); err != nil {
			return err
		}
	}
	for i := range rows {
		rows[i][0] = act
	}
	if err := ledger.Insert(ctx, tx, "review_rows", actRowColumns, rows); err != nil || r.Undoes == nil {
		return err
	}
	return undone(ctx, tx, r, ids)
}

// undone records which rows of another act a review has restored.
func undone(ctx context.Context, tx ledger.Tx, r Review, ids []int64) error {
	done, err := ledger.Bulk(ctx, tx, undoRowsSQL, ledger.Args{"act": r.Undoes.Num, "ids": ids})
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, undoActSQL, ledger.Args{"act": r.Undoes.Num, "rows": ledger.Count(done)})
	return err
}

func (r *Review) undoes() string {
	if r.Undoes == nil {
		return ""
	}
	return r.Undoes.ID
}
