package tasklist

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

var (
	//go:embed sql/counts.sql
	countsSQL string
	//go:embed sql/still.sql
	stillSQL string
)

// Tab is a state by which users filter imports.
type Tab string

// These are all tabs. An import may be in several tabs, for example if it has rows to correct and
// rows with system errors.
const (
	All       Tab = ""
	ToCorrect Tab = "correct" // failed, kept back, or done with rows that a user must correct or run
	Running   Tab = "running"
	Waiting   Tab = "waiting" // no row has run yet, or the import is paused; or its tenant or kind is, and no row runs
	Errors    Tab = "errors"  // with rows whose retries are exhausted
	Done      Tab = "done"    // nothing to do
)

// Tabs are all tabs, in the order of the page.
var Tabs = []Tab{All, ToCorrect, Running, Waiting, Errors, Done}

// MostCounted is the greatest number that a count of imports returns.
const MostCounted = 1000

// maxCounted is the maximum number of imports that a count reads of a status whose imports belong to two
// tabs.
const maxCounted = 2 * MostCounted

// statuses returns the statuses that imports of a tab may have. For Errors, which has its own
// index, it returns one empty status.
func (t Tab) statuses() []tasks.Status {
	switch t {
	case ToCorrect:
		return []tasks.Status{tasks.Paused, tasks.FinishedWithFailures, tasks.Failed}
	case Running:
		return []tasks.Status{tasks.Splitting, tasks.Running, tasks.Canceling}
	case Waiting:
		return []tasks.Status{tasks.Open, tasks.Paused, tasks.Running}
	case Errors:
		return []tasks.Status{""}
	case Done:
		return []tasks.Status{tasks.Finished, tasks.FinishedWithFailures, tasks.Canceled}
	}
	return []tasks.Status{
		tasks.Open, tasks.Splitting, tasks.Running, tasks.Paused, tasks.Canceling,
		tasks.Finished, tasks.FinishedWithFailures, tasks.Failed, tasks.Canceled,
	}
}

// has reports whether an import with one of the tab's statuses belongs to the tab. The argument `paused`
// reports whether its tenant or its kind is paused.
func (t Tab) has(r row, paused bool) bool {
	begun := r.started > 0 && !(paused && r.still)
	switch t {
	case ToCorrect:
		return r.status == tasks.Failed || r.kept || r.status == tasks.FinishedWithFailures && r.toCorrect > 0
	case Running:
		return r.status != tasks.Running || begun
	case Waiting:
		return r.status != tasks.Running || !begun
	case Done:
		return r.status != tasks.FinishedWithFailures || r.toCorrect <= 0 && r.inError == 0
	}
	return true
}

// Count is a number of imports.
type Count struct {
	N    int64 // at most MostCounted
	More bool  // there may be more than N
}

// Still reports whether a tenant may have imports with status running that have waiting rows and no
// running row. The pause of a kind changes pages and counts only for such imports.
func (l *List) Still(ctx context.Context, tenant string) (still bool, err error) {
	if _, err = ledger.Row(ctx, l.db.Reader(), stillSQL, ledger.Args{"tenant": tenant, "read": maxCounted}, &still); err != nil {
		return false, fmt.Errorf("tasklist: imports without a running row: %w", err)
	}
	return still, nil
}

// Counts returns the number of imports in each tab, at most MostCounted. The argument `paused` is the
// value of Query.Paused.
func (l *List) Counts(ctx context.Context, tenant string, paused Pauses) (map[Tab]Count, error) {
	out := map[Tab]Count{}
	args := ledger.Args{
		"tenant": tenant, "most": MostCounted, "read": maxCounted, "paused": paused.Tenant,
		"kinds": "," + strings.Join(paused.Kinds, ",,") + ",",
	}
	err := l.db.Reader().Query(ctx, countsSQL, args, func(scan ledger.Scan) error {
		var tab Tab
		var c Count
		err := scan(&tab, &c.N, &c.More)
		sum := out[tab].N + c.N
		out[tab] = Count{min(sum, MostCounted), out[tab].More || c.More || sum >= MostCounted}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("tasklist: counts: %w", err)
	}
	return out, nil
}
