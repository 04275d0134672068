package decisions

import (
	"context"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/act_keys.sql
var actKeysSQL string

// lastHeirs leaves out decisions of an undo after which no row would count for a key. This happens if
// the row that counted before the act can no longer be restored. found are the rows that have the keys
// in the ledger.
func lastHeirs(ctx context.Context, tx ledger.Tx, r Review, list []decided, found []events.Event, keys []string) ([]decided, error) {
	if r.Undoes == nil {
		return list, nil
	}
	rows := byKey(list, found)
	for _, key := range keys {
		e := r.Keys.next(rows[key])
		i := slices.IndexFunc(list, func(d decided) bool { return e != nil && d.ID == e.ID && d.old.Key == key && r.Keys.counts(&d.old) })
		if i < 0 {
			continue
		}
		comes, err := r.restores(ctx, tx, key)
		if err != nil {
			return nil, err
		}
		if !comes {
			list = slices.Delete(list, i, i+1)
		}
	}
	return list, nil
}

// restores reports whether the undo still has to restore a row that counts for a key. The undo of one
// row restores only that row.
func (r *Review) restores(ctx context.Context, tx ledger.Tx, key string) (comes bool, err error) {
	if r.Act == actPatch {
		return false, nil
	}
	text, err := json.Marshal(key)
	if err != nil {
		return false, err
	}
	args := ledger.Args{"act": r.Undoes.Num, "pattern": `%"key":` + liked(string(text)) + `%`}
	err = tx.Query(ctx, actKeysSQL, args, func(scan ledger.Scan) error {
		var was string
		var w Was
		if err := scan(&was); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(was), &w); err != nil {
			return err
		}
		e := events.Event{Status: events.Failed}
		w.into(&e)
		comes = comes || e.Key == key && r.Keys.counts(&e)
		return nil
	})
	return comes, err
}

// liked escapes a text for a pattern of LIKE, with \ as the escape character.
func liked(text string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)
}
