// Package review applies the decisions of users about rows that are failed or in error. Users repair rows,
// skip them, accept them without a change, or run them again inside the same task. They decide about single
// rows or in bulk.
//
// No change overwrites a concurrent change. Concurrent or repeated bulk actions resubmit each row at most
// once. A row with a known fault does not run. The rules of the kind validate each edit at once. An edit
// with faults is stored, too.
//
//	failed, error ─▶ open ─▶ fixed ──┬─▶ resubmitted ─▶ enqueue
//	                  │ ⇅            │
//	                  └─▶ skipped or accepted ──┘ (if it is named)
//
// Type Validator decides which rows may run again. Validator.Validate returns the faults of a row, and
// ValidatedRow.MayRun reports whether it may run. In this package, only ValidatedRow.decision makes a
// row run. Bulk actions, single edits, the undo, corrected files and the morgue of a queue all use these
// methods. Therefore, they all reject the same rows for the same reasons.
//
// This package decides about changes, and package decisions writes them. Each step is one
// transaction. This package does not depend on HTTP, Redis or files.
package review
