package decisions

import (
	"context"
	_ "embed"
	"encoding/json"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/kept_rows.sql
	keptRowsSQL string
	//go:embed sql/fewer_rows.sql
	fewerRowsSQL string
)

// rejoin sets the state in rows, which keepAct stores, to the state before the first change of the
// act. An act of several transactions changes a row twice if the row takes over a key in one of them.
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
			if rows[i][3], err = joined(was, rows[i][3].(string)); err != nil {
				return err
			}
		}
	}
	_, err = tx.Exec(ctx, fewerRowsSQL, ledger.Args{"act": act, "rows": len(first)})
	return err
}

// joined returns the state of a row before an act, with the cells that a later part of the act
// changed.
func joined(first, later string) (string, error) {
	var a, b Was
	if err := json.Unmarshal([]byte(first), &a); err != nil {
		return "", err
	}
	if err := json.Unmarshal([]byte(later), &b); err != nil {
		return "", err
	}
	a.Before, a.After = b.Before, b.After
	return a.json(), nil
}
