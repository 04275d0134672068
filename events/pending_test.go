package events_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/pending"
	"github.com/rollcall-dev/rollcall/tasks"
)

// pendingRow is a row in the model of Pending.
type pendingRow struct {
	ID    events.ID
	size  int
	rests bool
	again int // 0: never resubmitted, 1: waits to be fed, 2: was fed
}

// pendingModel adds tasks of random rows. It returns the tasks, and the rows by the number of their task.
func pendingModel(t *testing.T, db *ledger.DB, rng *rand.Rand) (list []*tasks.Task, rows map[int64][]pendingRow) {
	rows = map[int64][]pendingRow{}
	for range 8 {
		var drafts []events.Draft
		var model []pendingRow
		for i := range 1 + rng.IntN(6) {
			params := fmt.Sprintf(`{"n":"%s"}`, strings.Repeat("x", rng.IntN(60)))
			drafts = append(drafts, events.Draft{Row: i + 2, Key: "k", Params: json.RawMessage(params)})
			model = append(model, pendingRow{size: len(params), rests: rng.IntN(4) == 0, again: max(0, rng.IntN(6)-3)})
		}
		task := split(t, db, true, drafts...)
		for i := range model {
			model[i].ID = events.NewID(task.Num, int64(i+1))
			if model[i].rests {
				db.Write.Exec("UPDATE rollcall.events SET status = 'finish' WHERE id = ?", int64(model[i].ID))
			}
			if model[i].again > 0 {
				err := db.Write.Exec("INSERT INTO rollcall.refeed (task_num, seq, attempt, waits) VALUES (?, ?, 3, ?)",
					task.Num, i+1, model[i].again == 1).Error
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		list, rows[task.Num] = append(list, task), model
	}
	return list, rows
}

// TestPending_RangesOfAnyKind_PagesHoldWhatIsPending: pages within any bounds contain the waiting rows
// of their ranges.
func TestPending_RangesOfAnyKind_PagesHoldWhatIsPending(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		rng, es := rand.New(rand.NewPCG(1, 2)), events.New(db, events.Options{})
		list, rows := pendingModel(t, db, rng)
		for try := range 300 {
			var ranges []events.Range
			for range 1 + rng.IntN(7) {
				task := list[rng.IntN(len(list))]
				after := int64(rng.IntN(len(rows[task.Num]) + 1))
				last := after + int64(rng.IntN(len(rows[task.Num])+3))
				ranges = append(ranges, events.Range{Num: task.Num, After: after, Last: last, Back: rng.IntN(3) == 0})
			}
			page := pending.Page{Rows: 1 + rng.IntN(8), Bytes: 1 + rng.IntN(150)}
			if rng.IntN(2) == 0 {
				page.Bytes = 1 << 20
			}
			got, read, err := pending.New(es).Pending(t.Context(), ranges, page)
			if err != nil {
				t.Fatal(err)
			}
			isPage(t, fmt.Sprintf("try %d: %+v of %+v", try, page, ranges), rows, ranges, page, got, read)
		}
	})
}

// isPage compares a page with the model.
func isPage(
	t *testing.T, name string, rows map[int64][]pendingRow, ranges []events.Range, page pending.Page, got []pending.Row, read []int64,
) {
	t.Helper()
	var want, ids []events.ID
	size, before := 0, 0
	for i, at := range read {
		for _, row := range rows[ranges[i].Num] {
			seq := row.ID.Seq()
			if row.rests || row.again == 2 || row.again == 1 && !ranges[i].Back || seq <= ranges[i].After || seq > at {
				continue
			}
			want = append(want, row.ID)
			before, size = size, size+row.size
		}
	}
	for _, row := range got {
		ids = append(ids, row.ID)
	}
	if diff := cmp.Diff(want, ids); diff != "" {
		t.Errorf("%s: read %v (-pending +page):\n%s", name, read, diff)
	}
	full := len(got) >= page.Rows || size >= page.Bytes
	whole := len(read) == len(ranges) && read[len(read)-1] >= ranges[len(read)-1].Last
	if !full && !whole || len(got) > page.Rows || before >= page.Bytes {
		t.Errorf("%s: read %v: %d rows of %d bytes", name, read, len(got), size)
	}
	for i := range read {
		if i < len(read)-1 && read[i] < ranges[i].Last {
			t.Errorf("%s: read %v: left a range for the next one", name, read)
		}
	}
}
