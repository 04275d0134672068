package corrections

import (
	"context"
	"fmt"
	"io"
	"sort"
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

// These are the codes of faults in a corrected file and in its rows.
const (
	// CodeRowIDMissing means that the file lacks the column of row ids, or that a row has no id. A
	// corrected file cannot add rows to a task.
	CodeRowIDMissing = "ROW_ID_MISSING"
	// CodeRowIDUnknown means that a row id does not belong to the task.
	CodeRowIDUnknown = "ROW_ID_UNKNOWN"
	// CodeRowIDTwice means that two rows have the same id.
	CodeRowIDTwice = "ROW_ID_TWICE"
	// CodeRowFinished means that the row was changed in the file, but has finished.
	CodeRowFinished = "ROW_FINISHED"
	// CodeRowBusy means that the row was changed in the file, but waits or runs.
	CodeRowBusy = "ROW_BUSY"
	// CodeRowCanceled means that the row was changed in the file, but was canceled.
	CodeRowCanceled = "ROW_CANCELED"
	// CodeRowMoved means that the row was changed in the file, but another user or process changed the row
	// meanwhile.
	CodeRowMoved = "ROW_CHANGED_MEANWHILE"
)

// maxFindings is the maximum number of rows that a Report, or a Problem of a corrected file, lists. It is
// also the maximum number of warnings about ignored columns.
const maxFindings = 100

// batchRows is the maximum number of rows that are compared and changed at once.
const batchRows = 1000

// Correction is a row in Failed or Error that a user has changed in a result file.
type Correction struct {
	// Event is the current state of the row.
	Event *events.Event
	// Cells holds the new texts, by the names that the cells have in the params of the row. Nil clears a
	// cell.
	Cells map[string]*string
	// Found holds the faults that the reader found in cells of the file. A check of the new texts
	// cannot find these faults.
	Found []events.Field
}

// RowResult is the result of a Correction. In a dry run, it is the expected result. The zero value means that
// the row runs again.
type RowResult struct {
	// Late reports whether another user or process changed the row during the correction. The correction
	// was then not stored.
	Late bool
	// Newer reports whether the row ends as superseded, because a newer row of its key has finished.
	Newer bool
	// Refused reports whether the changed row cannot be stored. Fault is the reason. The stored row stays
	// unchanged.
	Refused bool
	// Fault is the fault of a changed row that is still invalid, or the reason for Refused. It is nil if
	// the row runs, and if Late or Newer is set.
	Fault *events.Failure
}

// Corrections is the comparison of a result file that a user has edited with the rows of its task. Run
// passes the changed rows to Apply.
//
// Run finds rows by their id and columns by their heading, so both may be in any order. Rows and columns
// that the file lacks stay unchanged, and unknown columns are ignored. A workbook or text file that lacks
// a column and has an unknown one is rejected. Cells are compared by the type of their column. A change
// that a spreadsheet makes by itself does not count, such as 7 for 007 or 1.23E+16 for a long number.
type Corrections struct {
	Task *tasks.Task
	// Kind is the kind of the task. It must have columns.
	Kind jobs.Kind
	// Options holds the options for reading the file.
	Options source.Options

	// Look returns events of the task by their seqs, at most 1,000.
	Look func(ctx context.Context, seqs []int64) ([]events.Event, error)
	// Apply validates and stores up to 1,000 corrections, and runs the valid rows again. In a dry
	// run it only validates them. It returns one result per correction.
	Apply func(ctx context.Context, list []Correction) ([]RowResult, error)
}

// Report holds the result of a corrected file, in numbers of rows. Matched is the sum of Unchanged,
// Resubmitted, StillInvalid, Refused and Conflicts.
type Report struct {
	// Matched is the number of rows of the file.
	Matched int
	// Changed is the number of rows that differ from the rows of the task.
	Changed int
	// Resubmitted is the number of changed rows that were resubmitted, including Superseded.
	Resubmitted int
	// Superseded is the number of resubmitted rows that end as superseded, because a newer row of
	// their key has finished.
	Superseded int
	// StillInvalid is the number of changed rows that are still invalid.
	StillInvalid int
	// Refused is the number of changes that were rejected because the row has finished, runs, waits,
	// was canceled, or would be too large.
	Refused int
	// Conflicts is the number of changes that were not stored because another user or process
	// changed the row meanwhile.
	Conflicts int
	// Unchanged is the number of rows that count as unchanged. Either they have the same values as in the
	// task, or the user has cleared all their cells.
	Unchanged int
	// Findings holds the first 100 changed rows that do not run.
	Findings []Finding
	// Warnings holds sentences for users, for example about columns that are ignored.
	Warnings []string
}

// Finding is a changed row of a corrected file that does not run again, with the reason.
type Finding struct {
	Row    int   // row number in the corrected file, as users see it
	Seq    int64 // seq of the row in the task
	Column string
	Code   string
	Detail string      // in English
	Args   events.Args // values of Detail, for other languages; empty for codes of this package
}

// Run reads the file twice. First it checks that the file is complete, and that every row belongs to the
// task and occurs only once. In the second pass it compares the rows. For an unusable file it returns a
// *tabular.Problem and changes nothing. After another error some rows may have been changed. The user can
// send the same file again, because rows that were already changed count as unchanged.
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

// corrector holds the state of one call of Corrections.Run.
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

// compare reads the file again, and applies the changes in batches.
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
		if err := c.applyBatch(ctx, rows.columns(), heap); err != nil {
			return err
		}
		c.keepFirstFindings()
	}
	c.report.Warnings = rows.warnings()
	return nil
}

// applyBatch compares a batch of rows with the rows of the task, and applies the changes.
func (c *corrector) applyBatch(ctx context.Context, columns []tasks.Column, heap []correctedRow) error {
	seqs, bySeq := make([]int64, len(heap)), map[int64]*events.Event{}
	for i, row := range heap {
		_, seqs[i], _ = events.ParseJobID(row.id) // check has validated the id
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

func (c *corrector) apply(ctx context.Context, list []Correction, rows []int) error {
	if len(list) == 0 {
		return nil
	}
	results, err := c.Apply(ctx, list)
	if err != nil {
		return err
	}
	for i, v := range results {
		c.count(v, Finding{Row: rows[i], Seq: list[i].Event.ID.Seq()})
	}
	return nil
}

// count counts a result, and records the reason if the row does not run again.
func (c *corrector) count(v RowResult, at Finding) {
	switch f := v.Fault; {
	case v.Late:
		c.report.Conflicts++
		at.Code, at.Detail = CodeRowMoved, "Another user has changed the row meanwhile. "+
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

// refuse counts a change of a row that is neither Failed nor in Error, and records the reason.
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

// keepFirstFindings sorts the findings by row, and keeps the first maxFindings.
func (c *corrector) keepFirstFindings() {
	f := c.report.Findings
	sort.SliceStable(f, func(i, j int) bool { return f[i].Row < f[j].Row })
	c.report.Findings = f[:min(len(f), maxFindings)]
}

// idCheck is the check that each row of a file is a row of the task and occurs only once.
type idCheck struct {
	task    *tasks.Task
	heading string
	first   []int32 // by seq: the first row of the file with this seq
	faults  []tabular.Fault
	count   int // number of faults
}

func (i *idCheck) add(row correctedRow) {
	task, seq, err := events.ParseJobID(row.id)
	switch {
	case row.id == "":
		i.fault(row, CodeRowIDMissing, fmt.Sprintf("Row %d has no row id. Rows cannot be added to a task: "+
			"upload new rows in another file.", row.number))
	case err != nil || !strings.EqualFold(task, i.task.ID) || seq > i.task.Total:
		i.fault(row, CodeRowIDUnknown, fmt.Sprintf("Row %d has the row id %.60q, which does not belong to this task.",
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
		p.Detail = fmt.Sprintf("%s This applies to %d rows. Nothing was changed.", i.faults[0].Detail, i.count)
	}
	return p
}
