package tasklist_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/tasklist"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
	"github.com/rollcall-dev/rollcall/internal/testenv/plans"
)

// on runs a test on SQLite and on Postgres.
func on(t *testing.T, test func(t *testing.T, db *ledger.DB)) {
	t.Helper()
	ledgers.Each(t, func(t *testing.T, url string) {
		db, err := ledger.Open(t.Context(), url, ledger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		test(t, db)
	})
}

// add inserts imports. In an empty ledger, the first of them has the number 1.
func add(t *testing.T, db *ledger.DB, rows ...string) {
	t.Helper()
	for _, row := range rows {
		sql := "INSERT INTO rollcall.tasks (id, tenant, kind, type, name, status, failed, superseded, error, started_at, created_at, created_by, total, columns) VALUES " + row
		if err := db.Write.Exec(sql).Error; err != nil {
			t.Fatal(err)
		}
	}
}

func names(t *testing.T, db *ledger.DB, q tasklist.Query) []string {
	t.Helper()
	var out []string
	for {
		list, next, err := tasklist.New(db).Page(t.Context(), "acme", q)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) > q.Limit {
			t.Fatalf("a page of %d has %d imports", q.Limit, len(list))
		}
		for i := range list {
			out = append(out, list[i].Name)
		}
		if next == 0 {
			return out
		}
		q.Before = next
	}
}

func TestPage_TabsAndFilters_ReturnTheirImportsNewestFirst(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		add(t, db,
			"('1','acme','k','import','open','open',0,0,0,0,1000,'ann',0,'[{}]')",
			"('2','acme','k','import','begun','running',1,0,0,5,1000,'ann',1,'[{}]')",
			"('3','acme','k','import','behind','running',0,0,0,0,1000,'ben',0,'[{}]')",
			"('4','acme','j','import','paused','paused',0,0,0,0,1000,'ben',0,'[{}]')",
			"('5','acme','k','import','wrong','finished_with_failures',2,1,1,1,1000,'ben',3,'[{}]')",
			"('6','acme','k','import','overtaken','finished_with_failures',1,1,0,1,1000,'ben',1,'[{}]')",
			"('7','acme','k','import','broken','failed',0,0,0,0,1000,'ben',0,'[{}]')",
			"('8','acme','k','import','Fine','finished',0,0,0,1,90000000,'ann',0,'[{}]')",
			"('12','acme','k','batch','single','finished',0,0,0,1,90000000,'ann',0,'[]')",
			"('9','acme','k','export','a file','finished',0,0,0,1,90000000,'ann',0,'[{}]')",
			"('10','other','k','import','theirs','finished',0,0,0,1,90000000,'ann',0,'[{}]')",
			"('11','acme','k','import','stopped','canceled',0,0,0,1,90000000,'ann',0,'[{}]')")
		for _, c := range []struct {
			q    tasklist.Query
			want string
		}{
			{tasklist.Query{}, "stopped Fine broken overtaken wrong paused behind begun open"},
			{tasklist.Query{Tab: tasklist.ToCorrect}, "broken wrong"},
			{tasklist.Query{Tab: tasklist.Running}, "begun"},
			{tasklist.Query{Tab: tasklist.Waiting}, "paused behind open"},
			{tasklist.Query{Tab: tasklist.Errors}, "wrong"},
			{tasklist.Query{Tab: tasklist.Done}, "stopped Fine overtaken"},
			{tasklist.Query{Kind: "j"}, "paused"},
			{tasklist.Query{Author: "ann"}, "stopped Fine begun open"},
			{tasklist.Query{Text: "fin"}, "Fine"},
			{tasklist.Query{Since: 80_000_000}, "stopped Fine"},
		} {
			for _, limit := range []int{1, 2, 50} {
				c.q.Limit = limit
				if got := strings.Join(names(t, db, c.q), " "); got != c.want {
					t.Errorf("%+v: %s, want %s", c.q, got, c.want)
				}
			}
		}
		if err := db.Write.Exec("UPDATE rollcall.tasks SET enqueue = 1, total = total + 1 WHERE name = 'begun'").Error; err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			paused tasklist.Pauses
			want   string
		}{
			{tasklist.Pauses{}, "paused behind open"},
			{tasklist.Pauses{Tenant: true}, "paused behind begun open"},
			{tasklist.Pauses{Kinds: []string{"k", "l"}}, "paused behind begun open"},
			{tasklist.Pauses{Kinds: []string{"j"}}, "paused behind open"},
		} {
			if got := strings.Join(names(t, db, tasklist.Query{Tab: tasklist.Waiting, Paused: c.paused, Limit: 50}), " "); got != c.want {
				t.Errorf("with the pauses %+v, %s wait, want %s", c.paused, got, c.want)
			}
			counts, err := tasklist.New(db).Counts(t.Context(), "acme", c.paused)
			if err != nil {
				t.Fatal(err)
			}
			for _, tab := range tasklist.Tabs {
				if n := len(names(t, db, tasklist.Query{Tab: tab, Paused: c.paused, Limit: 50})); counts[tab] != (tasklist.Count{N: int64(n)}) {
					t.Errorf("%q is counted as %d, and lists %d with the pauses %+v", tab, counts[tab].N, n, c.paused)
				}
			}
		}
	})
}

// TestStill_RowsWaitAndNoneRuns_IsReported also reads as many running imports as a count reads.
func TestStill_RowsWaitAndNoneRuns_IsReported(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		add(t, db,
			"('1','acme','k','import','begun','running',0,0,0,5,1000,'ann',0,'[{}]')",
			"('2','acme','k','import','paused','paused',0,0,0,5,1000,'ann',0,'[{}]')",
			"('3','other','k','import','theirs','running',0,0,0,5,1000,'ann',0,'[{}]')",
			"('4','acme','k','batch','single','running',0,0,0,5,1000,'ann',0,'[]')")
		for _, c := range []struct {
			where            string
			enqueue, working int
			want             bool
		}{
			{"true", 0, 0, false},
			{"name <> 'begun'", 1, 0, false},
			{"name = 'begun'", 1, 0, true},
			{"name = 'begun'", 1, 1, false},
			{"name = 'begun'", 0, 1, false},
		} {
			err := db.Write.Exec("UPDATE rollcall.tasks SET enqueue = ?, working = ?, total = ? WHERE "+c.where, c.enqueue, c.working, c.enqueue+c.working).Error
			if err != nil {
				t.Fatal(err)
			}
			if got, err := tasklist.New(db).Still(t.Context(), "acme"); err != nil || got != c.want {
				t.Errorf("%+v: the result is %t, %v", c, got, err)
			}
		}
		err := db.Write.Exec(`WITH RECURSIVE n (i) AS (SELECT 5 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
			INSERT INTO rollcall.tasks (id, tenant, kind, type, name, status, created_at, columns)
			SELECT cast(i AS text), 'acme', 'k', 'import', 'n', 'running', i, '[{}]' FROM n`, tasklist.MaxCounted+4).Error
		if got, stillErr := tasklist.New(db).Still(t.Context(), "acme"); err != nil || stillErr != nil || !got {
			t.Errorf("older imports are not read, and the result is %t, %v, %v", got, err, stillErr)
		}
	})
}

// TestPage_ManyImports_ReadsTheFirstEntries reads plans, in make test-all with 100,000 imports.
func TestPage_ManyImports_ReadsTheFirstEntries(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		n := 3000
		if testenv.All {
			n = 100_000
		}
		err := db.Write.Exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
			INSERT INTO rollcall.tasks (id, tenant, kind, type, name, status, created_at, columns)
			SELECT cast(i AS text), 'acme', 'k', 'import', 'n' || i, CASE i % 50 WHEN 0 THEN 'failed' ELSE 'finished' END, i, '[{}]' FROM n`, n).Error
		if err != nil {
			t.Fatal(err)
		}
		args := ledger.Args{"tenant": "acme", "before": int64(1 << 62), "most": 51, "status": "finished"}
		for text, index := range map[string]string{tasklist.PageSQL: "tasks_imports_idx", tasklist.ErrorsSQL: "tasks_errors_idx"} {
			if plan := plans.Explain(t, db, text, args); !strings.Contains(plan, index) || strings.Contains(plan, "Sort") || strings.Contains(plan, "B-TREE") {
				t.Errorf("a page is read without %s, or sorted:\n%s", index, plan)
			}
			if read := plans.RowsRead(t, db, text, args); read > 102 {
				t.Errorf("%d rows are read for a page of 50", read)
			}
		}
		args["most"], args["read"], args["paused"] = tasklist.MostCounted, tasklist.MaxCounted, false
		args["kinds"] = ",,"
		plan := plans.Explain(t, db, tasklist.CountsSQL, args)
		if strings.Contains(plan, "Seq Scan") || strings.Contains(plan, "SCAN tasks\n") {
			t.Errorf("a count reads the table:\n%s", plan)
		}
		if plan := plans.Explain(t, db, tasklist.StillSQL, args); !strings.Contains(plan, "tasks_imports_idx") {
			t.Errorf("running imports are read without their index:\n%s", plan)
		}
		first, next, err := tasklist.New(db).Page(t.Context(), "acme", tasklist.Query{Limit: 50})
		if err != nil || len(first) != 50 || first[0].Name != fmt.Sprint("n", n) || next == 0 {
			t.Errorf("the first page has %d imports, %v", len(first), err)
		}
		counts, err := tasklist.New(db).Counts(t.Context(), "acme", tasklist.Pauses{})
		bad := min(n/50, tasklist.MostCounted)
		if err != nil || counts[tasklist.All] != (tasklist.Count{N: tasklist.MostCounted, More: true}) ||
			counts[tasklist.ToCorrect] != (tasklist.Count{N: int64(bad), More: bad == tasklist.MostCounted}) {
			t.Errorf("counts are %v, %v", counts, err)
		}
	})
}

// TestCounts_ManyCorrectedImports_FindTheOldOnes: a count reads past newer imports that have no rows to
// correct any more. At the bound it reports that there may be more.
func TestCounts_ManyCorrectedImports_FindTheOldOnes(t *testing.T) {
	on(t, func(t *testing.T, db *ledger.DB) {
		add(t, db, "('old','acme','k','import','old','finished_with_failures',2,0,0,1,1000,'ann',2,'[{}]')")
		for _, c := range []struct {
			newer int
			want  tasklist.Count
		}{
			{tasklist.MostCounted + 1, tasklist.Count{N: 1}},
			{tasklist.MaxCounted - 1, tasklist.Count{N: 1, More: true}},
			{tasklist.MaxCounted, tasklist.Count{More: true}},
		} {
			err := db.Write.Exec(`WITH RECURSIVE n (i) AS (SELECT (SELECT count(*) FROM rollcall.tasks) UNION ALL SELECT i + 1 FROM n WHERE i < ?)
				INSERT INTO rollcall.tasks (id, tenant, kind, type, name, status, total, failed, superseded, created_at, columns)
				SELECT cast(i AS text), 'acme', 'k', 'import', 'n', 'finished_with_failures', 1, 1, 1, i, '[{}]' FROM n`, c.newer).Error
			if err != nil {
				t.Fatal(err)
			}
			counts, err := tasklist.New(db).Counts(t.Context(), "acme", tasklist.Pauses{})
			if err != nil || counts[tasklist.ToCorrect] != c.want {
				t.Errorf("with %d newer imports, %+v are to correct, want %+v: %v", c.newer, counts[tasklist.ToCorrect], c.want, err)
			}
		}
	})
}
