package tasklist

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

var (
	//go:embed sql/page.sql
	pageSQL string
	//go:embed sql/errors.sql
	errorsSQL string
)

// List is a reader of the imports of tenants.
type List struct{ db *ledger.DB }

// New returns the list of a ledger. The caller closes db.
func New(db *ledger.DB) *List { return &List{db} }

// Pauses holds whether a tenant is paused, and the names of its paused kinds. A running import waits if
// its tenant or its kind is paused and no row of the import runs.
type Pauses struct {
	Tenant bool
	Kinds  []string
}

// Of reports whether the tenant or the given kind is paused.
func (p Pauses) Of(kind string) bool { return p.Tenant || slices.Contains(p.Kinds, kind) }

// Stops returns the pause that keeps the rows of a running task from starting: "tenant" or "queue". It returns "" for a
// task with running rows or without waiting rows.
func (p Pauses) Stops(t *tasks.Task) string {
	switch {
	case t.Status != tasks.Running || t.Working > 0 || t.Enqueue == 0 || !p.Of(t.Kind):
		return ""
	case p.Tenant:
		return "tenant"
	}
	return "queue"
}

// Query is a selection of imports. Zero fields select all.
type Query struct {
	Tab    Tab
	Paused Pauses
	Kind   string
	Author string // the user or API key that created the import
	Text   string // part of the name, case ignored
	Since  int64  // created at that time or later, unix ms
	Before int64  // only lower numbers: the cursor of a page
	Limit  int    // at least 1
}

const (
	// maxRead is the number of imports after which the search for a page starts no further read.
	maxRead = 10_000
	// timeSlack is the tolerance of a search in ms. A task with a higher number may be older by up to
	// this time.
	timeSlack = 10 * 60 * 1000
)

// Page returns imports of a tenant, newest first. The result `next` is the cursor of the next page; 0
// after the last page. A search reads about maxRead imports, so a page may be short or empty although
// more pages follow.
func (l *List) Page(ctx context.Context, tenant string, q Query) (list []tasks.Task, next int64, err error) {
	q.Before = cmp.Or(q.Before, 1<<62)
	var nums []int64
	err = l.db.View(ctx, func(tx ledger.Tx) error {
		nums, next, err = q.search(ctx, tx, tenant)
		return err
	})
	if err == nil && len(nums) > 0 {
		err = l.db.Read.WithContext(ctx).Where("num IN ?", nums).Order("num DESC").Find(&list).Error
	}
	if err != nil {
		return nil, 0, fmt.Errorf("tasklist: page: %w", err)
	}
	return list, next, nil
}

// search returns the task numbers of the imports on a page. The result `next` is the number below which
// the next page begins; 0 after the last page.
func (q Query) search(ctx context.Context, tx ledger.Tx, tenant string) (nums []int64, next int64, err error) {
	for read, most := 0, q.Limit+1; read < maxRead; most = min(4*most, maxRead/8) {
		rows, rest, err := q.chunk(ctx, tx, ledger.Args{"tenant": tenant, "before": q.Before, "most": most})
		if err != nil {
			return nil, 0, err
		}
		for _, r := range rows {
			switch {
			case q.Since > 0 && r.created < q.Since-timeSlack:
				return nums, 0, nil
			case !q.fits(r):
			case len(nums) == q.Limit:
				return nums, nums[q.Limit-1], nil
			default:
				nums = append(nums, r.num)
			}
		}
		if rest == 0 {
			return nums, 0, nil
		}
		read += len(rows)
		q.Before, next = rest, rest
	}
	return nums, next, nil
}

// row holds the fields of an import that a query reads.
type row struct {
	num, created, started, toCorrect, inError int64
	status                                    tasks.Status
	name, kind, author                        string
	still                                     bool // no row runs, and rows wait
	kept                                      bool // no row runs before a user imports the rows: the file has invalid rows
}

// chunk returns the next imports of a tab, newest first. It reads imports up to a limit for each
// status. If one status reaches the limit, chunk omits the imports of other statuses that are older
// than the last import of this status. The result `rest` is the number below which the next call
// continues; 0 if no imports are left.
func (q Query) chunk(ctx context.Context, tx ledger.Tx, args ledger.Args) (rows []row, rest int64, err error) {
	for _, status := range q.Tab.statuses() {
		text := pageSQL
		if args["status"] = string(status); q.Tab == Errors {
			text = errorsSQL
		}
		n, last := 0, int64(0)
		err := tx.Query(ctx, text, args, func(scan ledger.Scan) error {
			var r row
			err := scan(&r.num, &r.status, &r.name, &r.kind, &r.author, &r.created, &r.started, &r.toCorrect, &r.inError, &r.still, &r.kept)
			rows, last, n = append(rows, r), r.num, n+1
			return err
		})
		if err != nil {
			return nil, 0, err
		}
		if n == args["most"].(int) {
			rest = max(rest, last)
		}
	}
	rows = slices.DeleteFunc(rows, func(r row) bool { return r.num < rest })
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(b.num, a.num) })
	return rows, rest, nil
}

func (q Query) fits(r row) bool {
	return q.Tab.has(r, q.Paused.Of(r.kind)) && r.created >= q.Since && (q.Kind == "" || r.kind == q.Kind) && (q.Author == "" || r.author == q.Author) &&
		(q.Text == "" || strings.Contains(strings.ToLower(r.name), strings.ToLower(q.Text)))
}
