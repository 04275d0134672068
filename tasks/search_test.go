package tasks_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/plans"
	"github.com/rollcall-dev/rollcall/tasks"
)

// TestTasksAreFound: tasks of the tenant are found by label, author, age and name, page by page.
func TestTasksAreFound(t *testing.T) {
	on(t, func(d *desk) {
		t := d.T
		noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
		now := noon
		ts := tasks.New(d.db, tasks.Options{Now: func() time.Time { return now }})
		add := func(tenant, name, by string, labels map[string]string) {
			t.Helper()
			now = now.Add(time.Hour)
			err := ts.Create(t.Context(), &tasks.Task{
				ID: tasks.NewID(), Tenant: tenant, Kind: "k", Type: tasks.Import, Status: tasks.Open, Name: name,
				CreatedBy: by, Labels: labels, Source: tasks.Source{FileID: tasks.NewID()},
			}, time.Hour)
			if err != nil {
				t.Fatal(err)
			}
		}
		spring := map[string]string{"campaign": "spring", "odd": `a "quoted" Ярлык`}
		add("acme", "Äpfel", "ann", spring)
		add("acme", "pears", "bob", nil)
		add("acme", "ÄPFEL two", "bob", spring)
		add("globex", "äpfel", "ann", spring)
		add("acme", "last", "ann", map[string]string{"campaign": "fall"})
		find := func(q tasks.Search, want ...string) {
			t.Helper()
			var got []string
			for q.Limit = 1; ; {
				list, next, err := ts.Search(t.Context(), "acme", q)
				if err != nil {
					t.Fatal(err)
				}
				for i := range list {
					got = append(got, list[i].Name)
				}
				if q.Before, q.After = next, 0; q.Oldest {
					q.Before, q.After = 0, next
				}
				if next == 0 {
					break
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%+v finds %q, want %q", q, got, want)
			}
		}
		find(tasks.Search{}, "last", "ÄPFEL two", "pears", "Äpfel")
		find(tasks.Search{Label: "campaign", Value: "spring"}, "ÄPFEL two", "Äpfel")
		find(tasks.Search{Label: "odd", Value: `a "quoted" Ярлык`, Author: "ann"}, "Äpfel")
		find(tasks.Search{Label: "campaign", Value: "Spring"})
		find(tasks.Search{Author: "bob"}, "ÄPFEL two", "pears")
		find(tasks.Search{Text: "äpfel", Status: "open", Kind: "k"}, "ÄPFEL two", "Äpfel")
		find(tasks.Search{Text: "%"})
		find(tasks.Search{Kind: "other"})
		at := func(hours int) int64 { return noon.Add(time.Duration(hours) * time.Hour).UnixMilli() }
		find(tasks.Search{Since: at(2), Until: at(5)}, "ÄPFEL two", "pears")
		find(tasks.Search{Since: at(6)})
		find(tasks.Search{Until: at(1)})
		find(tasks.Search{Oldest: true}, "Äpfel", "pears", "ÄPFEL two", "last")
		find(tasks.Search{Oldest: true, Label: "campaign", Value: "spring"}, "Äpfel", "ÄPFEL two")
		find(tasks.Search{Oldest: true, Author: "bob", Since: at(2)}, "pears", "ÄPFEL two")
		find(tasks.Search{Oldest: true, Until: at(2)}, "Äpfel")

		if err := d.db.Write.Exec("UPDATE rollcall.tasks SET purged_at = 1, labels = '{}' WHERE name = 'Äpfel'").Error; err != nil {
			t.Fatal(err)
		}
		find(tasks.Search{Label: "campaign", Value: "spring"}, "ÄPFEL two")
		find(tasks.Search{Until: at(2)})
		find(tasks.Search{Oldest: true}, "pears", "ÄPFEL two", "last")
	})
}

// TestSearch_OldestBehindPurgedTasks_BeginsAtTheOldestKeptTask: the search does not read thousands
// of purged ones.
func TestSearch_OldestBehindPurgedTasks_BeginsAtTheOldestKeptTask(t *testing.T) {
	on(t, func(d *desk) {
		d.fine(d.db.Write.Exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
			INSERT INTO rollcall.tasks (id, tenant, kind, type, name, status, created_at, purged_at, finished_at)
			SELECT cast(i AS text), 'acme', 'k', 'import', 'n' || i, 'finished', cast(i AS bigint) * 1000000, CASE WHEN i < 12000 THEN 1 ELSE 0 END, 1 FROM n`).Error)
		list, next, err := d.tasks.Search(d.Context(), "acme", tasks.Search{Oldest: true, Limit: 5})
		if d.fine(err); len(list) != 1 || list[0].Name != "n12000" || next != 0 {
			d.Errorf("the oldest tasks are %v, next %d", list, next)
		}
	})
}

func TestSearch_LimitBelowOne_ReturnsOneTask(t *testing.T) {
	byTier(t, func(d *desk) {
		d.open(nil)
		last := d.open(nil)
		for _, limit := range []int{0, -1, -600} {
			list, next, err := d.tasks.Search(d.Context(), "acme", tasks.Search{Limit: limit})
			if d.fine(err); len(list) != 1 || list[0].ID != last.ID || next != last.Num {
				d.Errorf("limit %d: %v, next %d", limit, list, next)
			}
		}
	})
}

// TestASearchReadsAnIndex: no statement of any filter reads all tasks.
func TestASearchReadsAnIndex(t *testing.T) {
	on(t, func(d *desk) {
		for name, text := range tasks.SearchStatements() {
			args := ledger.Args{
				"tenant": "a", "author": "b", "label": "c", "value": "d", "before": int64(1 << 62), "from": int64(0),
				"most": 600, "at": int64(5),
			}
			plan := plans.Explain(d, d.db, text, args)
			if strings.Contains(plan, "SCAN task") || strings.Contains(plan, "SCAN t ") ||
				strings.Contains(plan, "Seq Scan") || plan == "" {
				d.Errorf("%s reads all rows:\n%s", name, plan)
			}
			if name != "label" && !strings.HasSuffix(name, "by label") && (strings.Contains(plan, "Sort") || strings.Contains(plan, "B-TREE")) {
				d.Errorf("%s sorts:\n%s", name, plan)
			}
		}
		if plan := plans.Explain(d, d.db, tasks.OldestKeptSQL, nil); !strings.Contains(plan, "tasks_kept_idx") {
			d.Errorf("the oldest task that is kept is found without its index:\n%s", plan)
		}
	})
}

// manyFiles adds n tasks of files of 20 other tenants and 5 kinds, newer than all others.
const manyFiles = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
	INSERT INTO rollcall.tasks (id, tenant, kind, type, status, file_sha256, created_at)
	SELECT 'other-' || i, 'tenant-' || i % 20, 'kind-' || i % 5, 'import', 'open', 'f' || i, 1 FROM n`

// TestReleaseKey_ManyTasksOfOthers_ReadsFilesOfTheTenantAndKind reads the plans of both databases.
func TestReleaseKey_ManyTasksOfOthers_ReadsFilesOfTheTenantAndKind(t *testing.T) {
	on(t, func(d *desk) {
		_, err := d.tasks.CreateOnce(d.Context(), sheet(nil), tasks.Terms{Once: tasks.Dedup{Key: "file", Window: time.Hour}})
		d.fine(err)
		d.fine(d.db.Write.Exec(manyFiles, 5000).Error)
		d.fine(d.db.Write.Exec("ANALYZE").Error)
		args := ledger.Args{"key": "file", "since": int64(1), "ended": 0}
		if got := plans.Explain(d, d.db, tasks.ReleaseKeySQL, args); !strings.Contains(got, "tasks_files_idx") || strings.Contains(got, "tasks_pkey") {
			d.Errorf("the newer files of all tenants are read:\n%s", got)
		}
	})
}
