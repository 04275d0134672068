package review

import "github.com/rollcall-dev/rollcall/events"

// maxSample is how many rows an Outcome shows.
const maxSample = 10

// Outcome counts what a press did or, as a dry run, would do.
type Outcome struct {
	Matched      int64    // rows that were looked at and are bad
	Changed      int64    // cells of theirs change, or an undo restores them
	Valid        int64    // without a known fault then
	StillInvalid int64    // with one; they do not run
	Done         int64    // rows that were decided about
	Resubmitted  int64    // of them, those that run again
	Superseded   int64    // rows that do not run, or of those that run again will not: another row of their key counts
	Moved        int64    // rows that something else changed at that moment
	Sample       []Sample // the first of them that change or stay wrong

	// ActID names the act for Undo; two undos of an act are one act. It is empty if the act changed nothing, or if all
	// rows that it changed run again.
	ActID string
}

// Sample is one row of an outcome.
type Sample struct {
	Event         *events.Event
	Before, After map[string]*string
	Fault         *events.Failure // what is wrong then; nil if nothing is known
}

// see counts what the judge said about a row.
func (o *Outcome) see(r *Ruling) {
	o.Matched++
	if len(r.after) > 0 || r.was != nil {
		o.Changed++
	}
	if r.instead != nil && r.Fault == nil {
		o.Superseded++
	}
	if r.Fault == nil {
		o.Valid++
	} else {
		o.StillInvalid++
	}
	if (len(r.after) > 0 || r.Fault != nil) && len(o.Sample) < maxSample {
		o.Sample = append(o.Sample, Sample{r.Event, r.before, r.after, r.Fault})
	}
}

// Add adds the counts of another outcome; the sample stays.
func (o *Outcome) Add(other Outcome) {
	o.Matched += other.Matched
	o.Changed += other.Changed
	o.Valid += other.Valid
	o.StillInvalid += other.StillInvalid
	o.Done += other.Done
	o.Resubmitted += other.Resubmitted
	o.Superseded += other.Superseded
	o.Moved += other.Moved
}
