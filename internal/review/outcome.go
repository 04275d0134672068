package review

import "github.com/rollcall-dev/rollcall/events"

// maxSample is the greatest number of rows in Outcome.Sample.
const maxSample = 10

// Outcome holds the counts of rows by the result of a bulk action. For a dry run, they are the
// expected counts, except that Done and Resubmitted are 0.
type Outcome struct {
	Matched      int64    // selected rows
	Changed      int64    // rows with changed cells, or restored by an undo
	Valid        int64    // rows without a known fault afterwards
	StillInvalid int64    // rows with a known fault afterwards; they do not run
	Done         int64    // rows that were changed
	Resubmitted  int64    // of Done, rows that run again
	Superseded   int64    // rows that do not run, or will end as superseded, because another row of their key counts
	Newer        int64    // of Superseded, resubmitted rows for which a newer row of their key has finished
	Moved        int64    // rows left unchanged, because they changed meanwhile or cannot be restored
	Listed       int64    // rows with changed cells, or with a known fault afterwards
	Sample       []Sample // the first rows of Listed

	// ActID identifies the act for Undo. Two undos of all rows of an act have the same id. The id is
	// empty if the act changed nothing, or if all changed rows run again.
	ActID string
	RunAt int64 // time at which the rows are resubmitted automatically, unix ms; 0 if they are not
}

// Sample is one row of Outcome.Sample, with the texts of its changed cells before and after the act.
type Sample struct {
	Event         *events.Event
	Before, After map[string]*string
	Fault         *events.Failure // the remaining fault; nil without a known one
}

// countRow adds a row to the counts. The argument `fault` is the known fault of the row after the act.
func (o *Outcome) countRow(r *ValidatedRow, fault *events.Failure) {
	o.Matched++
	if len(r.after) > 0 || r.prior != nil {
		o.Changed++
	}
	if r.instead != nil && fault == nil {
		o.Superseded++
	}
	if fault == nil {
		o.Valid++
	} else {
		o.StillInvalid++
	}
	if len(r.after) == 0 && fault == nil {
		return
	}
	if o.Listed++; len(o.Sample) < maxSample {
		o.Sample = append(o.Sample, Sample{r.Event, r.before, r.after, fault})
	}
}

// Add adds the counts of another outcome. It leaves Sample, ActID and RunAt unchanged.
func (o *Outcome) Add(other Outcome) {
	o.Matched += other.Matched
	o.Changed += other.Changed
	o.Valid += other.Valid
	o.StillInvalid += other.StillInvalid
	o.Done += other.Done
	o.Resubmitted += other.Resubmitted
	o.Superseded += other.Superseded
	o.Newer += other.Newer
	o.Moved += other.Moved
	o.Listed += other.Listed
}
