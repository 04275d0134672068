package decisions

import (
	"cmp"
	"slices"
	"sort"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// KeyRule is the option "duplicates" of a task. If several rows have the same key, the rule selects the row
// that counts. This row holds the key. Under any value other than the constants below, all rows count.
type KeyRule string

// These are the rules under which only one row of a key counts.
const (
	OneRow    KeyRule = "error"  // the first row; the others are invalid
	FirstRow  KeyRule = "first"  // the first valid row; the others are superseded
	LatestRow KeyRule = "latest" // the last valid row, by version if the kind has one; the others are superseded
)

// Supersedes reports whether rows that do not count are superseded, instead of invalid.
func (r KeyRule) Supersedes() bool { return r == FirstRow || r == LatestRow }

// Precedes reports whether the row `counts`, which holds a key, supersedes another row with this key. The
// arguments `other` and `version` are the id and the version of the other row. Under LatestRow, the row with
// the greater version counts. Among equal versions, the later row in the file counts.
func (r KeyRule) Precedes(counts Holder, other events.ID, version *int64) bool {
	later := cmp.Or(cmp.Compare(scoreOf(counts.Version), scoreOf(version)), cmp.Compare(counts.ID, other)) > 0
	return r == FirstRow && counts.ID < other || r == LatestRow && later
}

// counts reports whether a row holds its key. Skipped, accepted and displaced rows do not hold it. Under
// FirstRow and LatestRow, invalid rows that have never run do not hold it either.
func (r KeyRule) counts(e *events.Event) bool {
	unread := r.Supersedes() && e.Status == events.Failed && e.Attempt == 0 && !e.Faultless()
	return e.Key != "" && !e.State().Left() && !r.displaced(e) && !unread
}

// displaced reports whether a row does not count because another row of its key counts.
func (r KeyRule) displaced(e *events.Event) bool {
	if !r.Supersedes() {
		return e.Duplicate()
	}
	named := textutil.Deref(e.Code) == events.CodeSuperseded && e.Status == events.Failed && !e.Faultless()
	return e.State() == events.Superseded || named && !e.State().Left()
}

// heir returns the displaced row that counts next for a key. It returns nil if no row is displaced, or if a
// row before the displaced one counts already. Under OneRow, it returns nil if any row counts. The argument
// `rows` holds all rows of the key, in file order. Under LatestRow, heir puts the row with the greatest
// version first, and among equal versions the last row in the file.
func (r KeyRule) heir(rows []events.Event) *events.Event {
	if r == LatestRow {
		slices.Reverse(rows)
		sort.SliceStable(rows, func(i, j int) bool { return scoreOf(rows[i].Score) > scoreOf(rows[j].Score) })
	}
	if r == OneRow && slices.ContainsFunc(rows, func(e events.Event) bool { return r.counts(&e) }) {
		return nil
	}
	for i := range rows {
		if r.counts(&rows[i]) {
			return nil
		}
		if r.displaced(&rows[i]) && !rows[i].State().Left() {
			return &rows[i]
		}
	}
	return nil
}
