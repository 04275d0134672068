package events_test

import (
	"database/sql"

	"github.com/google/go-cmp/cmp"
	"gorm.io/gorm"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// recounted holds the expected counts of a task.
type recounted struct {
	Total, Enqueue, Working, Finish, Failed, Error, Canceled, Retrying, Skipped int64
}

// fataler is a test, or a run of rapid.
type fataler interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// audit compares all counts of a task with its events at one moment.
func audit(t fataler, db *ledger.DB, num int64) {
	t.Helper()
	var stored, are recounted
	var groups, causes []events.Group
	low, high := events.NewID(num, 0), events.NewID(num+1, 0)
	err := db.Write.Transaction(func(tx *gorm.DB) error {
		if err := tx.Table("rollcall.tasks").Where("num = ?", num).Take(&stored).Error; err != nil {
			return err
		}
		if err := tx.Raw(`SELECT count(*) AS total,
			count(*) FILTER (WHERE status = 'enqueue') AS enqueue,
			count(*) FILTER (WHERE status = 'working') AS working,
			count(*) FILTER (WHERE status = 'finish') AS finish,
			count(*) FILTER (WHERE status = 'failed') AS failed,
			count(*) FILTER (WHERE status = 'error') AS error,
			count(*) FILTER (WHERE status = 'canceled') AS canceled,
			count(*) FILTER (WHERE status = 'enqueue' AND attempt > 0) AS retrying,
			count(*) FILTER (WHERE status IN ('failed', 'error') AND resolution IN ('skipped', 'accepted')) AS skipped
			FROM rollcall.events WHERE id > ? AND id < ?`, low, high).Scan(&are).Error; err != nil {
			return err
		}
		if err := tx.Where("task_num = ?", num).Order("status, code, col, print").Find(&groups).Error; err != nil {
			return err
		}
		return tx.Raw(`SELECT status, coalesce(code, '') AS code, coalesce(col, '') AS col, coalesce(print, '') AS print,
			count(*) AS count, min(row) AS first_row,
			count(*) FILTER (WHERE resolution = 'fixed') AS fixed,
			count(*) FILTER (WHERE resolution IN ('skipped', 'accepted')) AS skipped FROM rollcall.events
			WHERE id > ? AND id < ? AND status IN ('failed', 'error')
			GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`, low, high).Scan(&causes).Error
	}, snapshot(db))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(are, stored); diff != "" {
		t.Fatalf("counts (-recounted +stored):\n%s", diff)
	}
	if sum := stored.Enqueue + stored.Working + stored.Finish + stored.Failed + stored.Error + stored.Canceled; sum != stored.Total {
		t.Fatalf("the counts sum to %d, not %d", sum, stored.Total)
	}
	for i := range groups {
		if g := &groups[i]; (g.Print == "") != (g.Fault == "") {
			t.Fatalf("the group %+v has a fingerprint or a text alone", g)
		}
		groups[i].Fault = ""
	}
	if len(groups)+len(causes) == 0 {
		return
	}
	if diff := cmp.Diff(causes, groups); diff != "" {
		t.Fatalf("groups of errors (-recounted +stored):\n%s", diff)
	}
}

// snapshot returns the options of a transaction whose reads all see the same moment.
func snapshot(db *ledger.DB) *sql.TxOptions {
	if db.Pool == nil {
		return nil
	}
	return &sql.TxOptions{Isolation: sql.LevelRepeatableRead}
}
