package decisions

import (
	"cmp"
	"slices"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// KeyRule is the option duplicates of a task: it selects the rows that count if several rows have the
// same key. With a value that is not listed here, all rows count.
type KeyRule string

// The rules by which not all rows of a key count.
const (
	OneRow    KeyRule = "error"  // the first row; the others are invalid
	FirstRow  KeyRule = "first"  // the first valid row; the others are superseded
	LatestRow KeyRule = "latest" // the last valid row, by version if the kind has one; the others are superseded
)

// Supersedes reports whether rows that do not count are superseded.
func (r KeyRule) Supersedes() bool { return r == FirstRow || r == LatestRow }

// Precedes reports whether a row that counts supersedes another row of its key.
func (r KeyRule) Precedes(counts, other events.ID) bool {
	return r == FirstRow && counts < other || r == LatestRow && counts > other
}

// counts reports whether a row holds its key. Skipped rows, and rows for which out returns true, do
// not hold it. Under FirstRow and LatestRow, invalid rows that never ran do not hold it either.
func (r KeyRule) counts(e *events.Event) bool {
	unread := r.Supersedes() && e.Status == events.Failed && e.Attempt == 0 && !e.Faultless()
	return e.Key != "" && e.State() != events.Skipped && !r.out(e) && !unread
}

// out reports whether a row does not count because another row of its key does.
func (r KeyRule) out(e *events.Event) bool {
	if !r.Supersedes() {
		return e.Duplicate()
	}
	named := textutil.Deref(e.Code) == events.CodeSuperseded && e.Status == events.Failed && !e.Faultless()
	return e.State() == events.Superseded || named && e.State() != events.Skipped
}

// version returns the version of a row; the least for a row without one.
func version(e *events.Event) int64 {
	if e.Score == nil {
		return noScore
	}
	return *e.Score
}

// heir returns the row that counts next for a key; nil if a row counts already. rows are
// all rows of the key, in file order. The latest row is the last of those with the greatest version.
func (r KeyRule) heir(rows []events.Event) *events.Event {
	if r == LatestRow {
		slices.Reverse(rows)
		slices.SortStableFunc(rows, func(a, b events.Event) int { return cmp.Compare(version(&b), version(&a)) })
	}
	if r == OneRow && slices.ContainsFunc(rows, func(e events.Event) bool { return r.counts(&e) }) {
		return nil
	}
	for i := range rows {
		if r.counts(&rows[i]) {
			return nil
		}
		if r.out(&rows[i]) && rows[i].State() != events.Skipped {
			return &rows[i]
		}
	}
	return nil
}
