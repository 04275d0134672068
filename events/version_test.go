package events_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/plans"
)

// TestStates_ManyVersionsOfAKeyWait_ReadsFewOfThem: the cost of a row does not depend on the number
// of waiting rows of its key.
func TestStates_ManyVersionsOfAKeyWait_ReadsFewOfThem(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		const rows = 3000
		task := split(t, db, true, keyed(strings.Fields(strings.Repeat("hot ", rows))...)...)
		fine(t, db.Write.Exec("UPDATE rollcall.events SET score = id & 4294967295").Error)
		finishRows(t, db, task.Num, 3)
		id := events.NewID(task.Num, 4)
		if newer := newerOf(t, db, id); newer != 0 {
			t.Errorf("row 4 has version 4 and is behind row %d", newer)
		}
		if newer := newerOf(t, db, events.NewID(task.Num, 2)); newer != events.NewID(task.Num, 3) {
			t.Errorf("row 2 has the newer row %d", newer)
		}
		text := strings.Replace(events.StatesSQL, "@ids", fmt.Sprintf("(%d)", id), 1)
		if plan := plans.Explain(t, db, text, nil); !strings.Contains(plan, "finished_score") {
			t.Errorf("the versions of a key are not found by the index:\n%s", plan)
		}
		if read := plans.RowsRead(t, db, text, nil); read > 500 { // 100 of them for stop
			t.Errorf("%d rows are read", read)
		}
	})
}
