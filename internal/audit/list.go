package audit

import (
	"context"
	_ "embed"
	"fmt"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/list.sql
var listSQL string

// List returns up to `limit` entries of a subject with numbers below the argument `before`, newest
// first. If `before` is 0, List begins with the newest entry. The argument `more` names further
// subjects whose entries are included.
func (l *Log) List(ctx context.Context, subject string, before int64, limit int, more ...string) ([]Entry, error) {
	if before == 0 {
		before = 1 << 62
	}
	args := ledger.Args{"before": before, "most": limit}
	out, err := l.merged(ctx, listSQL, args, append(more, subject))
	if err != nil {
		return nil, fmt.Errorf("audit: list of %q: %w", subject, err)
	}
	slices.Reverse(out)
	return out[:min(limit, len(out))], nil
}

// merged runs a statement for each subject, and returns all selected entries, oldest first. One statement
// cannot read several subjects in order, because the index is ordered only within a subject.
func (l *Log) merged(ctx context.Context, text string, args ledger.Args, subjects []string) (out []Entry, err error) {
	for _, subject := range subjects {
		args["subject"] = subject
		list, err := ledger.List(ctx, l.db.Reader(), text, args, scanEntry(subject))
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	slices.SortFunc(out, func(a, b Entry) int { return int(a.Num - b.Num) })
	return out, nil
}
