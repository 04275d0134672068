// Package review is how people put right what failed: they repair rows, skip
// them, and have them run again, one by one or many at once, inside the same
// task.
//
// It promises that nothing is overwritten that somebody else did meanwhile, that
// a press of a button has each row run once more at most, however often and by
// however many people it is pressed at once, and that a row which is known to be
// wrong still does not run. Edits are checked at once by the rules of the kind,
// and kept also if they are wrong.
//
//	failed, error ─▶ open ─▶ fixed ──┬─▶ resubmitted ─▶ enqueue
//	                  │ ⇅            │
//	                  └─▶ skipped ───┘ (if it is asked for by name)
//
// One judge decides which rows may run again: Judge.Hear says what is wrong with a row,
// Ruling.MayRun whether it may run, and Ruling.decision is the only place that has it run.
// Bulk acts, edits of one row, the undo, corrected files and the morgue of a queue all go
// this way, so each of them refuses the same rows for the same reasons.
//
// The package decides; package events writes, each step in one transaction. The package
// knows no HTTP, no Redis and no file.
package review
