package decisions

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/kept_rows.sql
	keptRowsSQL string
	//go:embed sql/fewer_rows.sql
	fewerRowsSQL string
	//go:embed sql/act_first.sql
	actFirstSQL string
)

// rejoin handles rows that the act has changed before. In `rows`, it replaces their states by the states
// before the first change by the act, which keepAct then stores. An act changes a row twice if the row
// takes over a key in a later transaction of the act, or if a client repeats a change. If another act has
// changed a row in between, rejoin keeps the state in `rows`, so that an undo keeps that change. The ids
// are in ascending order.
func rejoin(ctx context.Context, tx ledger.Tx, act int64, ids []int64, rows [][]any) error {
	kept, restored := 0, 0
	args := ledger.Args{"act": act, "ids": ids, "first": ids[0], "last": ids[len(ids)-1]}
	err := tx.Query(ctx, keptRowsSQL, args, func(scan ledger.Scan) error {
		var id int64
		var was string
		var version int
		var undone bool
		err := scan(&id, &was, &version, &undone)
		if kept++; undone {
			restored++
		}
		if row := rows[slices.Index(ids, id)]; err == nil && version == row[2].(int)-1 {
			row[3], err = joinStates(was, row[3].(string))
		}
		return err
	})
	if err != nil || kept == 0 {
		return err
	}
	_, err = tx.Exec(ctx, fewerRowsSQL, ledger.Args{"act": act, "rows": kept, "undone": restored})
	return err
}

// joinStates returns the state `first` with the changed cells of both states. Both are stored states of the same
// row, and `later` is of a later change.
func joinStates(first, later string) (string, error) {
	var a, b PriorState
	if err := json.Unmarshal([]byte(first), &a); err != nil {
		return "", err
	}
	if err := json.Unmarshal([]byte(later), &b); err != nil {
		return "", err
	}
	for column, text := range b.After {
		if a.After == nil {
			a.Before, a.After = map[string]*string{}, map[string]*string{}
		}
		if _, changed := a.After[column]; !changed {
			a.Before[column] = b.Before[column]
		}
		a.After[column] = text
	}
	return a.json(), nil
}

// SampleRow returns the last row of an act that no undo has restored. If all rows were restored, it returns
// the last row. It returns nil if the act has no row.
func (s *Store) SampleRow(ctx context.Context, a *Act) (*ActRow, error) {
	out, err := s.ActRows(ctx, a, math.MaxInt64, 1)
	if err == nil && len(out) == 0 {
		out, err = s.actRows(ctx, a, actSampleSQL, ledger.Args{"act": a.Num})
	}
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return &out[0], nil
}

// FirstRows returns the first rows of an act, at most `limit`, and then its last row, even if an undo has restored
// them. The last row may be one of the first.
func (s *Store) FirstRows(ctx context.Context, a *Act, limit int) ([]ActRow, error) {
	return s.actRows(ctx, a, actFirstSQL, ledger.Args{"act": a.Num, "most": limit})
}

func (s *Store) actRows(ctx context.Context, a *Act, text string, args ledger.Args) ([]ActRow, error) {
	out, err := ledger.List(ctx, s.db.Reader(), text, args, func(scan ledger.Scan, r *ActRow) error {
		var was string
		if err := scan(&r.ID, &r.Version, &was); err != nil {
			return err
		}
		return json.Unmarshal([]byte(was), &r.Was)
	})
	if err != nil {
		return nil, fmt.Errorf("decisions: rows of act %s: %w", a.ID, err)
	}
	return out, nil
}
