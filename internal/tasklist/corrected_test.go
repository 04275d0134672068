package tasklist_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
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

// TestCorrected_RandomRows_AgreeWithNewer: the pages count the rows for which events.Newer finds a newer row, with
// versions and without, also if the newer row is of another task or was deleted.
func TestCorrected_RandomRows_AgreeWithNewer(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		add(t, db,
			"('1','acme','k','import','old','finished_with_failures',1,0,0,1,1000,'ann',1,'[{}]')",
			"('2','acme','k','import','new','finished_with_failures',1,0,0,1,1000,'ann',1,'[{}]')")
		lane, random := events.Lane{Tenant: "acme", Kind: "k"}, rand.New(rand.NewPCG(1, 2))
		fixed := []map[events.ID]events.KeyVersion{{}, {}}
		for i := range 400 {
			num, seq, key := int64(i%2), int64(i/2+1), fmt.Sprint(random.IntN(60))
			id, version, score, stored := events.NewID(num+1, seq), (*int64)(nil), "NULL", key
			if random.IntN(2) == 0 {
				version = new(random.Int64N(3))
				score = fmt.Sprint(*version)
			}
			state, finished := "'failed','A','fixed'", "NULL"
			switch random.IntN(5) {
			case 0:
				state, finished = "'finish',NULL,NULL", score
				if random.IntN(3) == 0 {
					stored = "another key of the hash"
				}
			case 1:
				state, finished, stored = "'finish','ERASED',NULL", score, ""
			case 2:
				state = "'failed','A',NULL"
			case 3:
				state = "'enqueue',NULL,NULL"
			default:
				fixed[num][id] = events.KeyVersion{Key: key, Version: version}
			}
			sql := fmt.Sprintf("INSERT INTO rollcall.events (id, row, key, params, key_hash, score, finished_score, status, code, resolution) "+
				"VALUES (%d, %d, '%s', '{}', %d, %s, %s, %s)", id, seq, stored, lane.Hash(key), score, finished, state)
			if err := db.Write.Exec(sql).Error; err != nil {
				t.Fatal(err)
			}
		}
		want := map[int64]int64{}
		for num, rows := range fixed {
			newer, err := events.New(db, events.Options{}).Newer(t.Context(), lane, rows)
			sql := fmt.Sprintf("INSERT INTO rollcall.error_groups (task_num, status, code, col, count, first_row, fixed) VALUES (%d, 'failed', 'A', '', 400, 1, %d)", num+1, len(rows))
			if err != nil || len(newer) == 0 || len(newer) == len(rows) || db.Write.Exec(sql).Error != nil {
				t.Fatalf("%d of %d rows have a newer row: %v", len(newer), len(rows), err)
			}
			want[int64(num)+1] = int64(len(newer))
		}
		list := tasklist.New(db)
		page, _, err := list.Page(t.Context(), "acme", tasklist.Query{Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		got, err := list.Corrected(t.Context(), page, func(string) bool { return true })
		for num, n := range want {
			if err != nil || got[num].Overtaken != n {
				t.Errorf("task %d: %+v, %v, want %d overtaken", num, got[num], err, n)
			}
		}
	})
}

// TestOvertakenErrors_ManyNewerRows_ReadsTheFirstBadRows: the rows in error that newer rows replace are counted by
// their causes, among the first bad rows, by the indexes of bad rows and of keys.
func TestOvertakenErrors_ManyNewerRows_ReadsTheFirstBadRows(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		err := db.Write.Exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
			INSERT INTO rollcall.events (id, row, key, status, params, key_hash, code, print, resolution)
			SELECT 4294967296 + i, i, 'K' || (i % 3000), CASE WHEN i > 3000 THEN 'finish' WHEN i % 4 = 0 THEN 'failed' ELSE 'error' END, '{}', 1 + i % 3000,
			CASE WHEN i > 3000 THEN NULL WHEN i % 4 = 1 THEN 'A' ELSE 'B' END, CASE WHEN i <= 3000 AND i % 4 = 1 THEN 'p' END,
			CASE WHEN i > 3000 THEN NULL WHEN i % 8 = 2 THEN 'fixed' WHEN i % 8 = 3 THEN 'resubmitted' END FROM n`).Error
		if err != nil {
			t.Fatal(err)
		}
		got, err := tasklist.New(db).OvertakenErrors(t.Context(), 1)
		want := map[string]int64{tasklist.CauseKey("A", "", "p"): 250, tasklist.CauseKey("B", "", ""): 375}
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("overtaken are %v, want %v: %v", got, want, err)
		}
		args := events.Bounds(1)
		args["most"] = 1000
		plan := plans.Explain(t, db, tasklist.OvertakenErrorsSQL, args)
		if strings.Contains(plan, "Seq Scan") || strings.Contains(plan, "PRIMARY KEY") || strings.Contains(plan, "SCAN n") {
			t.Errorf("the plan reads rows without their index:\n%s", plan)
		}
		if read := plans.RowsRead(t, db, tasklist.OvertakenErrorsSQL, args); read > 2000 {
			t.Errorf("%d rows are read for 1,000 bad rows", read)
		}
	})
}

// TestPage_PausedImports_ToDoHasTheKeptOnes: an import that a user has paused waits in its own tab, also with wrong rows.
func TestPage_PausedImports_ToDoHasTheKeptOnes(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		add(t, db,
			"('1','acme','k','import','kept','paused',1,0,0,0,1000,'ann',1,'[{}]')",
			"('2','acme','k','import','by a user','paused',1,0,0,0,1000,'ann',1,'[{}]')")
		if err := db.Write.Exec("UPDATE rollcall.tasks SET hold = 'block' WHERE name = 'kept'").Error; err != nil {
			t.Fatal(err)
		}
		if got := names(t, db, tasklist.Query{Tab: tasklist.ToCorrect, Limit: 50}); fmt.Sprint(got) != "[kept]" {
			t.Errorf("to do: %v, want the kept import", got)
		}
		counts, err := tasklist.New(db).Counts(t.Context(), "acme", tasklist.Pauses{})
		if err != nil || counts[tasklist.ToCorrect].N != 1 {
			t.Errorf("counts are %v, %v, want 1 to do", counts, err)
		}
	})
}
