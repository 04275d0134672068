package decisions

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/kept_rows.sql
	keptRowsSQL string
	//go:embed sql/fewer_rows.sql
	fewerRowsSQL string
)

// rejoin takes out of the act the rows that an earlier transaction of the same act has stored. keepAct stores
// these rows again. In `rows`, rejoin gives them their state before the act. An act changes a row twice if
// the row has taken over a key in an earlier transaction.
func rejoin(ctx context.Context, tx ledger.Tx, act int64, ids []int64, rows [][]any) error {
	first := map[int64]string{}
	err := tx.Query(ctx, keptRowsSQL, ledger.Args{"act": act, "ids": ids}, func(scan ledger.Scan) error {
		var id int64
		var was string
		err := scan(&id, &was)
		first[id] = was
		return err
	})
	if err != nil || len(first) == 0 {
		return err
	}
	for i, id := range ids {
		if was, ok := first[id]; ok {
			if rows[i][3], err = joinStates(was, rows[i][3].(string)); err != nil {
				return err
			}
		}
	}
	_, err = tx.Exec(ctx, fewerRowsSQL, ledger.Args{"act": act, "rows": len(first)})
	return err
}

// joinStates returns the state `first`, but with the changed cells of the state `later`. Both are stored
// states of the same row.
func joinStates(first, later string) (string, error) {
	var a, b PriorState
	if err := json.Unmarshal([]byte(first), &a); err != nil {
		return "", err
	}
	if err := json.Unmarshal([]byte(later), &b); err != nil {
		return "", err
	}
	a.Before, a.After = b.Before, b.After
	return a.json(), nil
}

// SampleRow returns one row of an act, even if an undo has restored the row. It returns nil if the act has
// no row.
func (s *Store) SampleRow(ctx context.Context, a *Act) (*ActRow, error) {
	out, err := s.actRows(ctx, a, actSampleSQL, ledger.Args{"act": a.Num})
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return &out[0], nil
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
