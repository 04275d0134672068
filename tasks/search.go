package tasks

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/search_all.sql
	searchAllSQL string
	//go:embed sql/search_author.sql
	searchAuthorSQL string
	//go:embed sql/search_label.sql
	searchLabelSQL string
	//go:embed sql/num_after.sql
	numAfterSQL string
	//go:embed sql/num_before.sql
	numBeforeSQL string
	//go:embed sql/oldest_kept.sql
	oldestKeptSQL string
)

// Search holds the conditions of a search for tasks. A condition with its zero value does not restrict
// the search.
type Search struct {
	Status string
	Kind   string
	Author string // CreatedBy
	Label  string // name of a label that has Value
	Value  string
	Text   string // part of the name; case is ignored
	Since  int64  // created at that time or later, unix ms
	Until  int64  // created before that time, unix ms
	Oldest bool   // the oldest task first
	Before int64  // only numbers below: the cursor of a page, newest task first
	After  int64  // only numbers above: the cursor of a page, oldest task first
	Limit  int    // greatest number of tasks on a page; a value below 1 means 1
}

// These are the bounds of a search: the maximum number of tasks that it reads, the size of its
// first read, and a tolerance in ms. A task may be older than a task with a lower number, by up to
// this tolerance.
const (
	maxSearched   = 10_000
	firstSearched = 600
	timeSlack     = 10 * 60 * 1000
)

// Search returns a page of a tenant's tasks, newest or oldest first, without purged tasks. It reads up
// to 10,000 tasks from an index by label, author or age, so a page may be short or empty. The result
// `next` is the cursor of the next page, or 0 after the last page.
func (s *Store) Search(ctx context.Context, tenant string, q Search) (list []Task, next int64, err error) {
	var nums []int64
	q.Limit = max(q.Limit, 1)
	err = s.db.View(ctx, func(tx ledger.Tx) error {
		nums, next, err = q.seek(ctx, tx, tenant)
		return err
	})
	if err == nil && len(nums) > 0 {
		err = s.db.Read.WithContext(ctx).Where("num IN ?", nums).Order(q.ordered("num DESC")).Find(&list).Error
	}
	if err != nil {
		return nil, 0, fmt.Errorf("tasks: search: %w", err)
	}
	return list, next, nil
}

// seek returns the task numbers of a page, and the cursor of the next page.
func (q Search) seek(ctx context.Context, tx ledger.Tx, tenant string) (nums []int64, next int64, err error) {
	args := ledger.Args{
		"tenant": tenant, "author": q.Author, "label": q.Label, "value": q.Value,
		"before": q.Before, "from": q.After + 1,
	}
	if err := q.bound(ctx, tx, args); err != nil {
		return nil, 0, err
	}
	for searched, most := 0, max(firstSearched, q.Limit+1); searched < maxSearched; most *= 4 {
		args["most"] = min(most, maxSearched-searched)
		seen := 0
		err := tx.Query(ctx, q.statement(), args, func(scan ledger.Scan) error {
			var t Task
			err := scan(&t.Num, &t.Name, &t.Status, &t.Kind, &t.CreatedBy, &t.CreatedAt, &t.PurgedAt)
			seen++
			if len(nums) <= q.Limit && q.fits(&t) {
				nums = append(nums, t.Num)
			}
			next = t.Num
			return err
		})
		switch {
		case err != nil:
			return nil, 0, err
		case len(nums) > q.Limit:
			return nums[:q.Limit], nums[q.Limit-1], nil
		case seen < args["most"].(int):
			return nums, 0, nil
		}
		searched += seen
		if q.Oldest {
			args["from"] = next + 1
		} else {
			args["before"] = next
		}
	}
	return nums, next, nil
}

// bound converts the times of the search into bounds of task numbers, since the indexes are ordered
// by number.
func (q Search) bound(ctx context.Context, tx ledger.Tx, args ledger.Args) error {
	if q.Before == 0 {
		args["before"] = int64(1 << 62)
	}
	since := q.Since
	if q.Oldest && q.After == 0 { // purged tasks may come first, and none of them fits
		var kept int64
		if _, err := ledger.Row(ctx, tx, oldestKeptSQL, nil, &kept); err != nil {
			return err
		}
		since = max(since, kept)
	}
	if since > 0 {
		var num int64
		err := numAt(ctx, tx, numAfterSQL, args, since-timeSlack, &num)
		if num == 0 {
			num = 1 << 62 // no task is that young
		}
		if args["from"] = max(args["from"].(int64), num); err != nil {
			return err
		}
	}
	if q.Until > 0 {
		var num int64
		if err := numAt(ctx, tx, numBeforeSQL, args, q.Until+timeSlack, &num); err != nil {
			return err
		}
		args["before"] = min(args["before"].(int64), num+1)
	}
	return nil
}

// numAt stores in `*num` the task number that a statement returns for a tenant and a time.
func numAt(ctx context.Context, tx ledger.Tx, text string, args ledger.Args, at int64, num *int64) error {
	_, err := ledger.Row(ctx, tx, text, ledger.Args{"tenant": args["tenant"], "at": at}, num)
	return err
}

// statement returns the statement that reads the fewest tasks for the search.
func (q Search) statement() string {
	switch {
	case q.Label != "":
		return q.ordered(searchLabelSQL)
	case q.Author != "":
		return q.ordered(searchAuthorSQL)
	}
	return q.ordered(searchAllSQL)
}

// ordered adapts SQL that sorts by number, newest first, to the order of the search. The same indexes
// serve both orders.
func (q Search) ordered(sql string) string {
	if q.Oldest {
		return strings.ReplaceAll(sql, "num DESC", "num")
	}
	return sql
}

// fits reports whether a task matches the search. The statement has already checked the label.
func (q Search) fits(t *Task) bool {
	return t.PurgedAt == 0 &&
		(q.Status == "" || string(t.Status) == q.Status) && (q.Kind == "" || t.Kind == q.Kind) &&
		(q.Author == "" || t.CreatedBy == q.Author) &&
		(q.Since == 0 || t.CreatedAt >= q.Since) && (q.Until == 0 || t.CreatedAt < q.Until) &&
		(q.Text == "" || strings.Contains(strings.ToLower(t.Name), strings.ToLower(q.Text)))
}
