package events

import (
	"context"
	_ "embed"
	"fmt"
	"iter"
	"strings"

	"gorm.io/gorm"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/overtaken"
)

// Filter is a selection of events of one task. A condition with its zero value selects all events.
type Filter struct {
	Statuses []Status
	Code     string
	Column   string
	Key      string
	RowFrom  int

	Resolution    Resolution // Open: rows that a user must act on; Skipped: also Accepted
	NotSuperseded bool       // leaves out superseded rows
	NotFixed      bool       // leaves out corrected rows that have not run
	Print         string     // fingerprint of the system fault that ended it
	Ran                      // the run that brought it to rest
	EndedBy       int64      // leaves out rows that came to rest later, unix ms; 0 leaves out none
	Seqs          []int64    // only these

	After  int64 // only seqs above: the cursor of a page
	Before int64 // only seqs below; 0 selects all. With Desc it is the cursor of a page
	UpTo   int64 // only seqs up to here; 0 selects all
	Desc   bool  // the last row first
	Brief  bool  // List returns the events without Params
	Limit  int   // default 50
}

// Ran is a selection of rows by their last run. A field with its zero value selects all rows.
type Ran struct {
	Build string // version of the program that ran it
	From  int64  // it came to rest at this time, unix ms, or later
	To    int64  // it came to rest before this time, unix ms
}

// Any reports whether the filter has a condition.
func (r Ran) Any() bool { return r != Ran{} }

func (r Ran) where(q *gorm.DB) *gorm.DB {
	if r.Build != "" {
		q = q.Where("ran_by IN (SELECT num FROM rollcall.runners WHERE build = ?)", r.Build)
	}
	if r.From > 0 {
		q = q.Where("finished_at >= ?", r.From)
	}
	if r.To > 0 {
		q = q.Where("finished_at < ?", r.To)
	}
	return q
}

var bad = []Status{Failed, Error}

// order returns the order of the rows in SQL. The primary key and the index of bad rows serve both
// directions.
func (f Filter) order() string {
	if f.Desc {
		return "id DESC"
	}
	return "id"
}

// List returns events of the task with number `num`, in file order or, with f.Desc, in the reverse
// order. It returns at most f.Limit events, or 50 if f.Limit is not positive.
func (s *Store) List(ctx context.Context, num int64, f Filter) ([]Event, error) {
	q := s.where(ctx, num, f)
	if f.Limit <= 0 {
		f.Limit = 50
	}
	if f.Brief {
		q = q.Omit("params")
	}
	out, err := s.find(ctx, q.Order(f.order()).Limit(f.Limit))
	if err != nil {
		return nil, fmt.Errorf("events: list task %d: %w", num, err)
	}
	return out, nil
}

func (s *Store) find(ctx context.Context, q *gorm.DB) (out []Event, err error) {
	if err := q.Find(&out).Error; err != nil {
		return nil, err
	}
	return out, RestoreParams(ctx, s.db.Reader(), out, (*Event).params)
}

func (s *Store) where(ctx context.Context, num int64, f Filter) *gorm.DB {
	high := NewID(num+1, 0)
	if f.UpTo > 0 {
		high = NewID(num, f.UpTo) + 1
	}
	if f.Before > 0 {
		high = min(high, NewID(num, f.Before))
	}
	q := s.db.Read.WithContext(ctx).Where("id > ? AND id < ?", NewID(num, f.After), high)
	if len(f.Statuses) > 0 {
		q = q.Where("status IN ?", f.Statuses)
	}
	if f.Code != "" {
		q = q.Where("code = ?", f.Code)
	}
	if f.Column != "" {
		q = q.Where("col = ?", f.Column)
	}
	if f.Key != "" {
		q = q.Where("key = ?", f.Key)
	}
	if f.RowFrom > 0 {
		q = q.Where("row >= ?", f.RowFrom)
	}
	switch f.Resolution {
	case "":
	case Open:
		q = q.Where("status IN ('failed', 'error') AND (resolution IS NULL OR resolution = 'resubmitted')")
	case Resubmitted: // a row that has failed again is open
		q = q.Where("status NOT IN ('failed', 'error') AND resolution = 'resubmitted'")
	case Skipped:
		q = q.Where("resolution IN ('skipped', 'accepted')")
	default:
		q = q.Where("resolution = ?", f.Resolution)
	}
	if f.NotSuperseded {
		q = q.Where("coalesce(resolution, '') <> 'superseded'")
	}
	if f.NotFixed {
		q = q.Where("coalesce(resolution, '') <> 'fixed'")
	}
	if f.Print != "" {
		q = q.Where("print = ?", f.Print)
	}
	q = f.Ran.where(q)
	if f.EndedBy > 0 {
		q = q.Where("coalesce(finished_at, 0) <= ?", f.EndedBy)
	}
	if len(f.Seqs) > 0 {
		ids := make([]ID, len(f.Seqs))
		for i, seq := range f.Seqs {
			ids[i] = NewID(num, seq)
		}
		q = q.Where("id IN ?", ids)
	}
	return q
}

// Bad returns rows that failed or are in error, in the order of List: at most f.Limit, or one if
// f.Limit is not positive. Its cost does not depend on the other rows, since it reads a partial index.
func (s *Store) Bad(ctx context.Context, num int64, f Filter) ([]Event, error) {
	if len(f.Statuses) == 0 {
		f.Statuses = bad
	}
	q := s.where(ctx, num, f).Where("code IS NOT NULL AND status IN ('failed', 'error')").Order(f.order())
	out, err := s.find(ctx, q.Limit(max(f.Limit, 1)))
	if err != nil {
		return nil, fmt.Errorf("events: bad rows of task %d: %w", num, err)
	}
	return out, nil
}

// BadBefore returns the last bad row before `seq` that f selects, or nil if there is none. It reads
// the same partial index as Bad, and ignores f.UpTo.
func (s *Store) BadBefore(ctx context.Context, num, seq int64, f Filter) (*Event, error) {
	if f.UpTo = seq - 1; f.UpTo < 1 {
		return nil, nil
	}
	q := s.where(ctx, num, f).Where("code IS NOT NULL AND status IN ('failed', 'error')").Order("id DESC")
	out, err := s.find(ctx, q.Limit(1))
	if err != nil {
		return nil, fmt.Errorf("events: bad row of task %d before %d: %w", num, seq, err)
	}
	if len(out) == 0 {
		return nil, nil
	}
	return &out[0], nil
}

// Get returns one event, or ErrNotFound.
func (s *Store) Get(ctx context.Context, id ID) (*Event, error) {
	e, err := ledger.Take[Event](ctx, s.db, "id = ?", int64(id))
	if err == nil && e == nil {
		err = ErrNotFound
	}
	one := []*Event{e}
	if err == nil {
		err = RestoreParams(ctx, s.db.Reader(), one, func(e **Event) (ID, *string) { return (*e).params() })
	}
	if err != nil {
		return nil, fmt.Errorf("events: get %d: %w", id, err)
	}
	return e, nil
}

// Group is an error group: the bad rows of a task with one cause.
type Group struct {
	Status   Status
	Code     string
	Col      string
	Print    string // fingerprint of a system fault; empty means a business failure
	Fault    string // type and text of one such fault, for operators
	Count    int64
	FirstRow int
	Fixed    int64 // rows that users have fixed
	Skipped  int64 // rows that users have skipped or accepted
}

// TableName returns the table of groups, for gorm.
func (Group) TableName() string { return "rollcall.error_groups" }

// Groups returns the error groups of a task that have rows, at most 1,000, the largest first.
func (s *Store) Groups(ctx context.Context, num int64) ([]Group, error) {
	var out []Group
	err := s.db.Read.WithContext(ctx).
		Where("task_num = ? AND count > 0", num).
		Order("count DESC, first_row, code").Limit(1000).Find(&out).Error
	if err != nil {
		return nil, fmt.Errorf("events: groups of task %d: %w", num, err)
	}
	return out, nil
}

// pageSize is the number of events that Each reads at once.
const pageSize = 1000

// Each iterates over the events of a task in file order. It ignores f.Limit; f.Desc must be false.
// It reads one page at a time, so its memory does not grow with the task.
func (s *Store) Each(ctx context.Context, num int64, f Filter) iter.Seq2[*Event, error] {
	f.Limit = pageSize
	return func(yield func(*Event, error) bool) {
		for {
			page, err := s.List(ctx, num, f)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range page {
				if !yield(&page[i], nil) {
					return
				}
			}
			if len(page) < pageSize {
				return
			}
			f.After = page[len(page)-1].ID.Seq()
		}
	}
}

// Some returns the events of the task with number `num` whose seqs are in `seqs`, in file order. It
// omits unknown seqs. The list `seqs` should have at most 1,000 items, because each is an argument of
// the statement.
func (s *Store) Some(ctx context.Context, num int64, seqs []int64) ([]Event, error) {
	ids := make([]int64, len(seqs))
	for i, seq := range seqs {
		ids[i] = int64(NewID(num, seq))
	}
	out, err := s.find(ctx, s.db.Read.WithContext(ctx).Where("id IN ?", ids).Order("id"))
	if err != nil {
		return nil, fmt.Errorf("events: some of task %d: %w", num, err)
	}
	return out, nil
}

//go:embed sql/values.sql
var valuesText string

var valuesSQL = overtaken.Complete(valuesText)

// Value is a text at fault, with the number of open rows that have this text for one cause.
type Value struct {
	Code, Col string // the cause
	Text      string // as in Event.Value; empty if the cell is empty, or the fault has no value
	Count     int64
	Others    int64 // number of rows of Count that have a fault in another column, too
	Overtaken int64 // other rows of Count that do not run when corrected: a newer row of their key has finished
	FirstRow  int
	Texts     int64 // number of texts of the cause
	Seen      int64 // number of open rows of the cause that were read
}

// maxValued is the greatest number of bad rows that Values reads.
const maxValued = 1000

// Values returns the most frequent texts at fault of open rows. The argument `most` limits the number of
// texts for each code and column. Values reads the first 1,000 bad rows of the task with number `num`.
// It omits rows in Error, which have no text at fault. The argument `ordered` is true if newer rows of
// the kind supersede older rows. Otherwise, Value.Overtaken is 0.
func (s *Store) Values(ctx context.Context, num int64, most int, ordered bool) ([]Value, error) {
	args := Bounds(num)
	args["rows"], args["most"], args["ordered"] = maxValued, most, ordered
	text := valuesSQL
	if s.db.Pool == nil { // SQLite
		text = strings.ReplaceAll(text, "strpos(", "instr(")
	}
	out, err := ledger.List(ctx, s.db.Reader(), text, args, func(scan ledger.Scan, v *Value) error {
		return scan(&v.Code, &v.Col, &v.Text, &v.Count, &v.Others, &v.Overtaken, &v.FirstRow, &v.Texts, &v.Seen)
	})
	if err != nil {
		return nil, fmt.Errorf("events: values of task %d: %w", num, err)
	}
	return out, nil
}
