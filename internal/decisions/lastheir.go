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

// lastHeirs removes decisions of an undo that would leave a key without a row that counts. An undo has such
// decisions if the row that counted before the undone act can no longer be restored. The argument `found`
// holds the rows of the keys in the ledger.
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

// restores reports whether a later part of the undo will restore a row that counts for a key. The undo of
// an act on a single row has only one part.
func (r *Review) restores(ctx context.Context, tx ledger.Tx, key string) (comes bool, err error) {
	if r.Act == actPatch {
		return false, nil
	}
	text, err := json.Marshal(key)
	if err != nil {
		return false, err
	}
	args := ledger.Args{"act": r.Undoes.Num, "pattern": `%"key":` + escapeLike(string(text)) + `%`}
	err = tx.Query(ctx, actKeysSQL, args, func(scan ledger.Scan) error {
		var was string
		var w PriorState
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

// escapeLike escapes a text for a LIKE pattern whose escape character is \.
func escapeLike(text string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)
}
