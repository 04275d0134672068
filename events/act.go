package events

import (
	"context"
	_ "embed"
	"encoding/json"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/note_act.sql
	noteActSQL string
	//go:embed sql/note_edit_sqlite.sql
	noteEditSQLiteSQL string
)

// What people do to rows, in the words of package tasks, whose audit it is.
const (
	actPatch    = "patch"
	actFix      = "fix"
	actOpen     = "open"
	actSkip     = "skip"
	actResubmit = "resubmit"
)

// actOf is how the audit calls what was decided.
type actOf struct {
	of  Resolution
	act string
}

var acts = [...]actOf{{Fixed, actFix}, {Open, actOpen}, {Skipped, actSkip}, {Resubmitted, actResubmit}}

// actDetail is what the audit says of an act.
type actDetail struct {
	Before map[string]*string `json:"before,omitempty"`
	After  map[string]*string `json:"after,omitempty"`
	Code   string             `json:"code,omitempty"` // of the fault that is left
	Note   string             `json:"note,omitempty"`
	First  int                `json:"first_row,omitempty"`
	Last   int                `json:"last_row,omitempty"`
	Act    json.RawMessage    `json:"act,omitempty"` // what the caller says of the whole
	Press  *pressDetail       `json:"press,omitempty"`
}

// pressDetail tells that an edit is the n-th, from 1, of a press.
type pressDetail struct {
	ID string `json:"id"`
	N  int64  `json:"n"`
}

func (a actDetail) json() string {
	b, err := json.Marshal(a)
	if err != nil || string(b) == "{}" { // texts always encode
		return ""
	}
	return string(b)
}

// noteActs notes each edit of a row by itself, and what became of the rows once
// for all of them.
func (s *Store) noteActs(ctx context.Context, tx ledger.Tx, r Review, list []ruling) error {
	now := s.now().UnixMilli()
	var edits [][]any
	for i := range list {
		d := &list[i]
		if d.Edit == nil {
			continue
		}
		detail := actDetail{Before: d.Edit.Before, After: d.Edit.After, Note: d.Note}
		if d.Edit.Fault != nil {
			detail.Code = d.Edit.Fault.Code
		}
		if r.Press != "" {
			detail.Press = &pressDetail{r.Press, r.Edited + int64(len(edits)) + 1}
		}
		edits = append(edits, []any{
			r.Num, now, r.By, actPatch, d.ID.Seq(), int64(1), detail.json(),
		})
	}
	if err := noteEdits(ctx, tx, edits); err != nil {
		return err
	}
	for _, a := range acts {
		if err := s.noteAct(ctx, tx, r, a.act, a.chosen(list)); err != nil {
			return err
		}
	}
	return nil
}

// chosen are the rows that an act was done to. An edit that fixes a row, or
// opens it, tells so itself.
func (a *actOf) chosen(list []ruling) (out []*ruling) {
	for i := range list {
		d := &list[i]
		told := d.Edit != nil && (d.Resolution == Fixed || d.Resolution == Open)
		if d.Resolution == a.of && !told {
			out = append(out, d)
		}
	}
	return out
}

func (s *Store) noteAct(ctx context.Context, tx ledger.Tx, r Review, act string, list []*ruling) error {
	if len(list) == 0 {
		return nil
	}
	detail := actDetail{Note: list[0].Note, Act: r.Detail}
	seq := int64(0)
	if len(list) == 1 {
		seq = list[0].ID.Seq()
	} else {
		detail.First, detail.Last = list[0].old.Row, list[len(list)-1].old.Row
	}
	_, err := tx.Exec(ctx, noteActSQL, ledger.Args{
		"num": r.Num, "now": s.now().UnixMilli(), "by": r.By, "act": act, "seq": seq,
		"rows": int64(len(list)), "detail": detail.json(),
	})
	return err
}

func noteEdits(ctx context.Context, tx ledger.Tx, edits [][]any) error {
	if len(edits) == 0 {
		return nil
	}
	if lite, ok := tx.(ledger.Repeater); ok {
		_, err := lite.Repeat(ctx, noteEditSQLiteSQL, edits)
		return err
	}
	columns := []string{"task_num", "at", "actor", "act", "seq", "rows", "detail"}
	return tx.(ledger.Copier).Copy(ctx, "audit", columns, edits)
}
