package manage

import (
	"context"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
)

// OwnersAudit returns the subjects of audit entries that only the owner may read; nil for other
// callers.
func OwnersAudit(ctx context.Context) []string {
	if auth.Caller(ctx).May(access.ServiceRead) {
		return []string{audit.Owner()}
	}
	return nil
}

// AuditNum returns the number by which lists of audit entries are sorted.
func AuditNum(e *audit.Entry) int64 { return e.Num }

// TaskAudit returns a page of audit entries of a task, newest first. The last entry of the last
// page is the creation of the task.
func (s *Service) TaskAudit(ctx context.Context, t *tasks.Task, before int64, limit int) ([]audit.Entry, error) {
	list, err := s.Audit.List(ctx, audit.Task(t.Num), before, limit)
	if err == nil && len(list) < limit {
		list = append(list, tasks.Creation(t))
	}
	return list, err
}

// TaskActs returns the audit entries of the last acts on a task, newest first, without the edits of single rows. It
// searches the last 5,000 entries. The entry about a resubmission of one row has the cells that the same act
// has edited. If there are fewer than `limit` acts, the last entry is the creation of the task.
func (s *Service) TaskActs(ctx context.Context, t *tasks.Task, limit int) ([]audit.Entry, error) {
	list, all, err := s.Audit.Acts(ctx, t.Num, limit)
	left := mostEdits
	for i := range list {
		switch e := &list[i]; {
		case err != nil || e.Detail.Rerun == "":
		case e.Seq > 0:
			err = s.addEdit(ctx, t.Num, e)
		default:
			left, err = s.addEdits(ctx, e, left)
		}
	}
	if err == nil && all {
		list = append(list, tasks.Creation(t))
	}
	return list, err
}

const (
	// mostRowEdits is the greatest number of entries about a row that addEdit reads.
	mostRowEdits = 100
	// mostEdits is the greatest number of entries about rows that all calls of addEdits for one page read.
	mostEdits = 5_000
	// mostOfEntry is the number of rows about which an act has at most one entry: see review.Reviewer.Bulk.
	mostOfEntry = 1_000
)

// addEdit adds to the entry of a resubmission of one row the cells that the same act has edited. The
// entry about the edit has the same time.
func (s *Service) addEdit(ctx context.Context, num int64, e *audit.Entry) error {
	list, err := s.Audit.Row(ctx, num, e.Seq, mostRowEdits)
	for _, edit := range list {
		if edit.At == e.At && edit.Num < e.Num && edit.Detail.After != nil {
			e.Detail.Before, e.Detail.After = edit.Detail.Before, edit.Detail.After
			break
		}
	}
	return err
}

// addEdits adds to the entry of a resubmission the cells that its act has changed to one value in all rows. The
// entries about these edits precede the entry of the resubmission, and have the same time. addEdits reads at most
// `left` entries, and returns how many more the caller may read.
func (s *Service) addEdits(ctx context.Context, e *audit.Entry, left int) (int, error) {
	if int64(left) < e.Touched {
		return left, nil
	}
	list, err := s.Audit.List(ctx, e.Subject, e.Num, min(left, mostOfEntry))
	n, same := int64(0), map[string]*string(nil)
	for i := range list {
		edit := &list[i]
		if edit.At != e.At || edit.Actor != e.Actor || edit.Act != "patch" {
			break
		}
		if n++; n == 1 {
			same = edit.Detail.After
		}
		for column, text := range same {
			if other, ok := edit.Detail.After[column]; !ok || textutil.Deref(other) != textutil.Deref(text) {
				delete(same, column)
			}
		}
	}
	if n >= e.Touched && len(same) > 0 {
		e.Detail.After = same
	}
	return left - len(list), err
}
