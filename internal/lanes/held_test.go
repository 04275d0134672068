package lanes

import (
	"fmt"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/plans"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestHeld_ManyGroups_StatementsReadTheFirst has 3,000 groups of one key and 20,000 keys with one group.
// About half of those keys are due later, and ten are due now.
func TestHeld_ManyGroups_StatementsReadTheFirst(t *testing.T) {
	on(t, func(d *desk) {
		insert := func(n, from int, key string) {
			d.fine(d.db.Write.Exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
				INSERT INTO rollcall.held (lane, key, place, first, last, rows, seqs)
				SELECT 7, `+key+`, i, cast(? AS bigint) + i, cast(? AS bigint) + i, 1, '1' FROM n`, n, from, from).Error)
		}
		insert(3_000, 1<<32, "'long'")
		insert(20_000, 2<<32, "'k' || i")
		d.fine(d.db.Write.Exec("INSERT INTO rollcall.held_keys (lane, key, most) SELECT DISTINCT lane, key, 2 FROM rollcall.held").Error)
		d.fine(d.db.Write.Exec("UPDATE rollcall.held_keys SET due_at = 5000 WHERE key LIKE '%3' OR key LIKE '%4' OR key LIKE '%5' OR key LIKE '%6' OR key LIKE '%7'").Error)
		d.fine(d.db.Write.Exec("UPDATE rollcall.held_keys SET due_at = 1000 WHERE key LIKE 'k1_03'").Error)
		keys := []string{"long"}
		for i := range 9 {
			keys = append(keys, fmt.Sprint("k", i*100+1))
		}
		for text, args := range map[string]ledger.Args{
			firstGroupsSQL: {"lane": int64(7), "keys": keys, "most": 1},
			heldKeysSQL:    {"lane": int64(7), "keys": keys},
			heldPageSQL:    {"lane": int64(7), "after": "k", "most": 10},
			dueKeysSQL:     {"lane": int64(7), "now": int64(2000), "most": 5},
		} {
			returned := 0
			d.fine(d.db.Reader().Query(d.Context(), text, args, func(ledger.Scan) error { returned++; return nil }))
			if returned == 0 {
				d.Errorf("nothing is returned:\n%s", text)
			}
			if read := plans.RowsRead(d, d.db, text, args); read > 20*returned {
				d.Errorf("%d rows are read for %d that are returned:\n%s", read, returned, text)
			}
		}
		want := map[string]int{}
		for _, key := range keys {
			want[key] = 5
		}
		groups, err := New(tasks.New(d.db, tasks.Options{})).FirstGroups(d.Context(), 7, keys, want)
		d.fine(err)
		if len(groups) != 16+9 {
			d.Fatalf("%d groups, want 16 of one key and one of nine: %+v", len(groups), groups)
		}
		for i, group := range groups {
			if i < 16 && (group.Key != "long" || group.Place != int64(i)+1) || i >= 16 && group.Key != keys[i-15] {
				d.Errorf("group %d is %+v", i, group)
			}
		}
	})
}
