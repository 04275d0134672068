package corrections

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/drafts"
	"github.com/rollcall-dev/rollcall/importers/resultfile"
	"github.com/rollcall-dev/rollcall/importers/results"
	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Codes of a corrected file, and of rows of it.
const (
	// CodeRowIDMissing means a file without the column of row ids, or a row
	// without one: rows cannot be added to a task.
	CodeRowIDMissing = "ROW_ID_MISSING"
	// CodeRowIDUnknown means a row id that is none of the task.
	CodeRowIDUnknown = "ROW_ID_UNKNOWN"
	// CodeRowIDTwice means two rows with one id.
	CodeRowIDTwice = "ROW_ID_TWICE"
	// CodeRowFinished means a changed row whose work is done.
	CodeRowFinished = "ROW_FINISHED"
	// CodeRowBusy means a changed row that waits or runs.
	CodeRowBusy = "ROW_BUSY"
	// CodeRowCanceled means a changed row that was canceled.
	CodeRowCanceled = "ROW_CANCELED"
	// CodeRowMoved means a changed row that something else changed meanwhile.
	CodeRowMoved = "ROW_CHANGED_MEANWHILE"
)

// maxFindings bounds the rows that a Report, or a Problem of a corrected file,
// lists.
const maxFindings = 100

// batchRows is how many rows are compared, and changed, at once.
const batchRows = 1000

// Correction is a failed row that a person has changed in a result file.
type Correction struct {
	// Event is the row as it stands.
	Event *events.Event
	// Cells are the new texts, by the names of params; nil is empty.
	Cells map[string]*string
	// Found is what the reader found wrong with Cells and their texts do not show.
	Found []events.Field
}

// Verdict is what became of a Correction or, as a dry run, would. The row runs again if
// all is zero.
type Verdict struct {
	// Late means that something else changed the row meanwhile: it is as it was.
	Late bool
	// Newer means that the row ends as superseded, for a newer row of its key has
	// finished.
	Newer bool
	// Refused means that the row cannot be kept, for Fault: it is as it was.
	Refused bool
	// Fault is what is wrong with the row still: it was changed, and does not run.
	Fault *events.Failure
}

// Corrections compares a result file that a user has edited with the rows of its task, and hands over
// the changed rows.
//
// Rows are found by their row id, columns by their heading, so both may be in
// any order. Rows and columns that are not there are left alone, columns that
// mean nothing are ignored. A cell has changed if it means another value than
// before, by the type of its column; what only a spreadsheet made of it (7 of
// 007, 1.23E+16 of a long number) is no change.
type Corrections struct {
	Task *tasks.Task
	// Kind is that of the task. It must have columns.
	Kind jobs.Kind
	// Options are how the file is to be read.
	Options source.Options

	// Look returns events of the task by their seqs, at most 1,000.
	Look func(ctx context.Context, seqs []int64) ([]events.Event, error)
	// Apply validates up to 1,000 rows, stores them, and runs the valid ones again. As a dry run it
	// only validates them. It returns one verdict for each.
	Apply func(ctx context.Context, list []Correction) ([]Verdict, error)
}

// Report is what became of the rows of a corrected file. Matched is the sum of
// the other numbers, Changed left out.
type Report struct {
	// Matched is how many rows the file has.
	Matched int
	// Changed is how many of them differ from those of the task.
	Changed int
	// Resubmitted is how many of those run again.
	Resubmitted int
	// Superseded is how many of those end as superseded, for a newer row of their key
	// has finished.
	Superseded int
	// StillInvalid is how many were changed and are wrong still.
	StillInvalid int
	// Refused is how many changes were not made, since the row has finished,
	// runs, waits, or was canceled, or would be too large.
	Refused int
	// Conflicts is how many changes were not made, since something else
	// changed the row at that moment.
	Conflicts int
	// Unchanged is how many mean the same as before; they are left alone.
	Unchanged int
	// Findings are the first 100 rows that do not run although they changed.
	Findings []Finding
	// Warnings are sentences for users about decisions that the reader made by itself.
	Warnings []string
}

// Finding is a row of a corrected file that does not run again.
type Finding struct {
	Row    int   // in the corrected file, as the person sees it
	Seq    int64 // in the task
	Column string
	Code   string
	Detail string      // in English
	Args   events.Args // what Detail is made from, for other languages; empty for codes of this package
}

// Run reads the file twice: once to its proved end, to see that every row is
// one of the task and none is there twice, and once to compare it. A file that
// cannot be used is a *Problem, and nothing was changed. After another error
// some rows may have been changed: the same file can be sent again, for what
// was changed is unchanged then.
func (c Corrections) Run(ctx context.Context, r io.ReaderAt, size int64) (Report, error) {
	file, err := source.Recognize(r, size, c.Options)
	if err != nil {
		return Report{}, err
	}
	defer file.Close()
	p := &corrector{Corrections: c, Layout: results.NewLayout(c.Task, c.Kind), file: file}
	if err := p.check(ctx); err != nil {
		return Report{}, err
	}
	err = p.compare(ctx)
	return p.report, err
}

// corrector is one run of Corrections.
type corrector struct {
	Corrections
	*results.Layout
	file   *source.File
	report Report
}

// check reads the whole file and checks its row ids.
func (c *corrector) check(ctx context.Context) error {
	rows, err := c.open()
	if err != nil {
		return err
	}
	defer rows.close()
	ids := idCheck{task: c.Task, heading: c.Own[resultfile.ID], first: make([]int32, c.Task.Total+1)}
	for n := 0; ; n++ {
		row, err := rows.next()
		if err == io.EOF {
			return ids.problem()
		}
		if err == nil && n%batchRows == 0 {
			err = context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		ids.add(row)
	}
}

// compare reads the file again and hands over what has changed.
func (c *corrector) compare(ctx context.Context) error {
	rows, err := c.open()
	if err != nil {
		return err
	}
	defer rows.close()
	for more := true; more; {
		var heap []correctedRow
		for len(heap) < batchRows && more {
			row, err := rows.next()
			if more = err != io.EOF; !more {
				break
			}
			if err != nil {
				return err
			}
			heap = append(heap, row)
		}
		if err := c.settle(ctx, rows.columns(), heap); err != nil {
			return err
		}
		c.keepFirstFindings()
	}
	c.report.Warnings = rows.warnings()
	return nil
}

// settle compares some rows with those of the task and changes these.
func (c *corrector) settle(ctx context.Context, columns []tasks.Column, heap []correctedRow) error {
	seqs, bySeq := make([]int64, len(heap)), map[int64]*events.Event{}
	for i, row := range heap {
		_, seqs[i], _ = events.ParseJobID(row.id) // check has looked
	}
	list, err := c.Look(ctx, seqs)
	if err != nil {
		return err
	}
	for i := range list {
		bySeq[list[i].ID.Seq()] = &list[i]
	}
	decimal, _ := c.Task.Options["decimal"].(string) // a task without options has none
	maker := drafts.NewMaker(c.Kind, columns).DecimalBy(decimal)
	var changed []Correction
	var rows []int
	for i, row := range heap {
		e := bySeq[seqs[i]]
		if e == nil {
			return fmt.Errorf("corrections: row %d of task %s is not there", seqs[i], c.Task.ID)
		}
		fix, differs, err := c.correct(maker, e, row)
		c.report.Matched++
		switch {
		case err != nil:
			return err
		case !differs:
			c.report.Unchanged++
		case !e.Status.Bad():
			c.report.Changed++
			c.refuse(e, row)
		default:
			c.report.Changed++
			changed, rows = append(changed, fix), append(rows, row.number)
		}
	}
	return c.apply(ctx, changed, rows)
}

// apply validates and stores the changes, and counts them.
func (c *corrector) apply(ctx context.Context, list []Correction, rows []int) error {
	if len(list) == 0 {
		return nil
	}
	verdicts, err := c.Apply(ctx, list)
	if err != nil {
		return err
	}
	for i, v := range verdicts {
		c.count(v, Finding{Row: rows[i], Seq: list[i].Event.ID.Seq()})
	}
	return nil
}

// count counts a verdict, and notes why the row at a place does not run again.
func (c *corrector) count(v Verdict, at Finding) {
	switch f := v.Fault; {
	case v.Late:
		c.report.Conflicts++
		at.Code, at.Detail = CodeRowMoved, "The row was changed by somebody else at this moment. "+
			"Download the result again."
	case f == nil:
		c.report.Resubmitted++
		if !v.Newer {
			return
		}
		c.report.Superseded++
		at.Code, at.Detail = events.CodeSuperseded, "A newer row of the same key has finished, so this row will not run."
	case v.Refused:
		c.report.Refused++
		at.Column, at.Code, at.Detail, at.Args = f.Column, f.Code, f.Message, f.Args
	default:
		c.report.StillInvalid++
		at.Column, at.Code, at.Detail, at.Args = f.Column, f.Code, f.Message, f.Args
	}
	c.find(at)
}

// refuse reports why a row that changed in the file does not change in the task.
func (c *corrector) refuse(e *events.Event, row correctedRow) {
	c.report.Refused++
	f := Finding{Row: row.number, Seq: e.ID.Seq()}
	switch e.Status {
	case events.Finish:
		f.Code, f.Detail = CodeRowFinished, "The row has finished, so a change here has no effect. "+
			"Upload the row in a new file instead."
	case events.Canceled:
		f.Code, f.Detail = CodeRowCanceled, "The row was canceled and will not run."
	default:
		f.Code, f.Detail = CodeRowBusy, "The row is running or waiting to run. You can correct it if it fails."
	}
	c.find(f)
}

func (c *corrector) find(f Finding) { c.report.Findings = append(c.report.Findings, f) }

// keepFirstFindings keeps the first findings of the file.
func (c *corrector) keepFirstFindings() {
	f := c.report.Findings
	slices.SortStableFunc(f, func(a, b Finding) int { return a.Row - b.Row })
	c.report.Findings = f[:min(len(f), maxFindings)]
}

// idCheck checks that each row of a file is a row of the task, and occurs once.
type idCheck struct {
	task    *tasks.Task
	heading string
	first   []int32 // by seq: the row that has it
	faults  []tabular.Fault
	count   int // of faults
}

func (i *idCheck) add(row correctedRow) {
	task, seq, err := events.ParseJobID(row.id)
	switch {
	case row.id == "":
		i.fault(row, CodeRowIDMissing, fmt.Sprintf("Row %d has no row id. Rows cannot be added to a task: "+
			"upload new ones in a file of their own.", row.number))
	case err != nil || !strings.EqualFold(task, i.task.ID) || seq > i.task.Total:
		i.fault(row, CodeRowIDUnknown, fmt.Sprintf("Row %d has the row id %.60q, which is none of this task.",
			row.number, row.id))
	case i.first[seq] > 0:
		i.fault(row, CodeRowIDTwice, fmt.Sprintf("Rows %d and %d have the same row id %q.",
			i.first[seq], row.number, row.id))
	default:
		i.first[seq] = int32(row.number)
	}
}

func (i *idCheck) fault(row correctedRow, code, detail string) {
	if i.count++; i.count <= maxFindings {
		i.faults = append(i.faults, tabular.Fault{Row: row.number, Code: code, Detail: detail})
	}
}

func (i *idCheck) problem() error {
	if i.count == 0 {
		return nil
	}
	p := &tabular.Problem{Code: i.faults[0].Code, Row: i.faults[0].Row, Errors: i.faults}
	p.Detail = i.faults[0].Detail + " Nothing was changed."
	if i.count > 1 {
		p.Detail = fmt.Sprintf("%s So it is with %d rows. Nothing was changed.", i.faults[0].Detail, i.count)
	}
	return p
}
