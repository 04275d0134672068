// Package review lets users repair failed rows, skip them, and run them again, one by one or in
// bulk, inside the same task.
//
// It promises to overwrite no concurrent change. Concurrent or repeated bulk actions resubmit each
// row at most once. A row with a known fault does not run. Edits are validated at once by the rules
// of the kind, and stored even if they are invalid.
//
//	failed, error ─▶ open ─▶ fixed ──┬─▶ resubmitted ─▶ enqueue
//	                  │ ⇅            │
//	                  └─▶ skipped ───┘ (if it is named)
//
// One judge decides which rows may run again. Judge.Hear returns the faults of a row, and
// Ruling.MayRun reports whether it may run. Only Ruling.decision makes a row run. Bulk actions,
// single edits, the undo, corrected files and the morgue of a queue all use it. Each therefore
// refuses the same rows for the same reasons.
//
// The package decides; package events writes, each step in one transaction. The package does not
// depend on HTTP, Redis or files.
package review
