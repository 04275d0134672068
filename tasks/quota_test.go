package tasks_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/tasks"
)

// TestQuotasHold: requests at the same moment do not exceed a quota. Each tenant has its own.
func TestQuotasHold(t *testing.T) {
	on(t, func(d *desk) {
		t, ts := d.T, d.tasks
		if err := ts.SetLimits(t.Context(), "acme", tasks.Limits{Tasks: 3, Bytes: 1000}); err != nil {
			t.Fatal(err)
		}
		add := func(tenant string, size int64) error {
			_, err := ts.CreateOnce(t.Context(), &tasks.Task{
				ID: tasks.NewID(), Tenant: tenant, Kind: "k", Type: tasks.Import, Status: tasks.Open,
				Source: tasks.Source{FileID: tasks.NewID(), FileSize: size},
			}, tasks.Terms{Keep: time.Hour, Quotas: true})
			return err
		}
		var added, refused atomic.Int64
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				var q *tasks.QuotaError
				switch err := add("acme", 100); {
				case err == nil:
					added.Add(1)
				case errors.As(err, &q) && q.What == "tasks" && q.Most == 3:
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		wg.Wait()
		list, err := ts.List(t.Context(), "acme", tasks.Filter{})
		if err != nil || added.Load() != 3 || refused.Load() != 5 || len(list) != 3 {
			t.Errorf("%d added, %d refused, %d there, %v: want 3, 5, 3", added.Load(), refused.Load(), len(list), err)
		}
		for range 5 {
			if err := add("globex", 1_000_000); err != nil {
				t.Error(err)
			}
		}
		if err := ts.SetLimits(t.Context(), "acme", tasks.Limits{Bytes: 399}); err != nil {
			t.Fatal(err)
		}
		var q *tasks.QuotaError
		if err := add("acme", 100); !errors.As(err, &q) || q.What != "bytes" {
			t.Errorf("400 bytes of 399: %v", err)
		}
		for more, fits := range map[tasks.Usage]bool{{Bytes: 99}: true, {Bytes: 100}: false, {Tasks: 100, Rows: 1 << 40}: true} {
			if err := ts.CheckQuota(t.Context(), "acme", more); (err == nil) != fits {
				t.Errorf("room for %+v: %v", more, err)
			}
		}
	})
}

// TestRoom_ResultFiles_CountUntilTheyAreDeleted checks the quota of bytes.
func TestRoom_ResultFiles_CountUntilTheyAreDeleted(t *testing.T) {
	on(t, func(d *desk) {
		export := &tasks.Task{
			ID: tasks.NewID(), Tenant: "acme", Kind: "k", Type: tasks.Export, Status: tasks.Open,
			Result: tasks.Result{ResultID: "r", ResultSize: 900},
		}
		d.fine(d.tasks.Create(d.Context(), export, time.Hour))
		d.fine(d.tasks.SetLimits(d.Context(), "acme", tasks.Limits{Bytes: 1000}))
		var q *tasks.QuotaError
		if err := d.tasks.CheckQuota(d.Context(), "acme", tasks.Usage{Bytes: 200}); !errors.As(err, &q) || q.What != "bytes" {
			d.Errorf("1,100 of 1,000 bytes: %v", err)
		}
		d.fine(d.tasks.MarkFileDeleted(d.Context(), tasks.ExpiredFile{What: "result", Num: export.Num, FileID: "r"}))
		d.fine(d.tasks.CheckQuota(d.Context(), "acme", tasks.Usage{Bytes: 200}))
	})
}
