package tasklist_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/tasklist"
	"github.com/rollcall-dev/rollcall/internal/testenv/plans"
)

// TestPage_FailedRowsAreLeftOut_ImportIsDone: the count of skipped rows includes those in error. The tabs, the page
// and the number of corrected rows agree.
func TestPage_FailedRowsAreLeftOut_ImportIsDone(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		add(t, db,
			"('1','acme','k','import','left','finished_with_failures',2,0,0,1,1000,'ann',2,'[{}]')",
			"('2','acme','k','import','both','finished_with_failures',1,0,1,1,1000,'ann',2,'[{}]')",
			"('3','acme','k','import','bad','finished_with_failures',2,0,0,1,1000,'ann',2,'[{}]')",
			"('4','acme','k','import','fine','finished',0,0,0,1,1000,'ann',0,'[{}]')")
		for _, sql := range []string{
			"UPDATE rollcall.tasks SET skipped = 2 WHERE name IN ('left', 'both')",
			"UPDATE rollcall.tasks SET skipped = 1 WHERE name = 'bad'",
			"INSERT INTO rollcall.error_groups (task_num, status, code, col, count, first_row, fixed, skipped) VALUES " +
				"(2, 'failed', 'A', '', 1, 1, 0, 1), (2, 'error', 'B', '', 1, 1, 0, 1), (3, 'failed', 'A', '', 1, 1, 1, 0), (3, 'failed', 'B', '', 1, 1, 0, 1)",
		} {
			if err := db.Write.Exec(sql).Error; err != nil {
				t.Fatal(err)
			}
		}
		list := tasklist.New(db)
		counts, err := list.Counts(t.Context(), "acme", tasklist.Pauses{})
		if err != nil || counts[tasklist.ToCorrect].N != 1 || counts[tasklist.Done].N != 2 {
			t.Errorf("counts are %v, %v", counts, err)
		}
		for tab, want := range map[tasklist.Tab]string{tasklist.ToCorrect: "bad", tasklist.Done: "fine left", tasklist.Errors: "both"} {
			if got := strings.Join(names(t, db, tasklist.Query{Tab: tab, Limit: 50}), " "); got != want {
				t.Errorf("%s: %s, want %s", tab, got, want)
			}
		}
		page, _, err := list.Page(t.Context(), "acme", tasklist.Query{Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		got, err := list.Corrected(t.Context(), page, func(string) bool { return true })
		if want := "map[2:{0 1 0} 3:{1 0 0}]"; err != nil || fmt.Sprint(got) != want {
			t.Errorf("corrected are %v, want %s: %v", got, want, err)
		}
	})
}

// TestCorrected_ManyNewerRows_ReadsTheFirstBadRows: the rows that newer rows replace are counted among the first bad
// rows of all imports together, by the indexes of bad rows and of keys.
func TestCorrected_ManyNewerRows_ReadsTheFirstBadRows(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		add(t, db,
			"('1','acme','k','import','old','finished_with_failures',2,0,0,1,1000,'ann',2,'[{}]')",
			"('2','acme','k','import','new','finished_with_failures',1,0,0,1,1000,'ann',1,'[{}]')")
		for _, sql := range []string{
			"INSERT INTO rollcall.error_groups (task_num, status, code, col, count, first_row, fixed, skipped) VALUES " +
				"(1, 'failed', 'A', '', 3000, 1, 3000, 0), (2, 'failed', 'A', '', 1, 1, 1, 0)",
			`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
			INSERT INTO rollcall.events (id, row, key, status, params, key_hash, code, resolution)
			SELECT 4294967296 + i, i, 'K' || (i % 3000), CASE WHEN i > 3000 THEN 'finish' ELSE 'failed' END, '{}', 1 + i % 3000,
			CASE WHEN i > 3000 THEN NULL ELSE 'A' END, CASE WHEN i > 3000 THEN NULL ELSE 'fixed' END FROM n`,
		} {
			if err := db.Write.Exec(sql).Error; err != nil {
				t.Fatal(err)
			}
		}
		list := tasklist.New(db)
		page, _, err := list.Page(t.Context(), "acme", tasklist.Query{Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		for ordered, want := range map[bool]string{true: "map[1:{3000 0 1000} 2:{1 0 0}]", false: "map[1:{3000 0 0} 2:{1 0 0}]"} {
			got, err := list.Corrected(t.Context(), page, func(string) bool { return ordered })
			if err != nil || fmt.Sprint(got) != want {
				t.Errorf("ordered: %t, corrected are %v, want %s: %v", ordered, got, want, err)
			}
		}
		args := events.Bounds(1)
		args["most"] = 1000
		plan := plans.Explain(t, db, tasklist.OvertakenSQL, args)
		if strings.Contains(plan, "Seq Scan") || strings.Contains(plan, "PRIMARY KEY") || strings.Contains(plan, "SCAN n") {
			t.Errorf("the plan reads rows without their index:\n%s", plan)
		}
		if read := plans.RowsRead(t, db, tasklist.OvertakenSQL, args); read > 2000 {
			t.Errorf("%d rows are read for 1,000 bad rows", read)
		}
	})
}
