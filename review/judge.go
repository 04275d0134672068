package review

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// tooManyCells is the code of a row with cells right of the last heading, and
// extra how params call such a cell. duplicateKey is that of a row whose key
// another row of the file has.
const (
	tooManyCells = "TOO_MANY_CELLS"
	extra        = "column "
	duplicateKey = "DUPLICATE_KEY"
)

// judge knows what the rows of one task must be.
type judge struct {
	kind    worker.Kind
	columns map[string]bool // of the file or the kind, as params call them
	key     string          // the column that orders the rows instead of the kind's own
	taken   *taken          // nil: a key may stand more than once
}

func newJudge(kind worker.Kind, t *tasks.Task) *judge {
	j := &judge{kind: kind, columns: map[string]bool{}}
	if kind.Schema == nil {
		return j
	}
	for _, f := range kind.Schema.Fields {
		j.columns[f.Name] = true
	}
	want, _ := t.Options["key_column"].(string)
	for _, c := range t.Columns {
		name := c.Field
		if name == "" {
			name = c.Header
		}
		j.columns[name] = true
		if want != "" && (c.Header == want || c.Field == want) {
			j.key = name
		}
	}
	if f := kind.Schema.Match([]string{want}, nil).Fields[0]; want != "" && j.key == "" && f != nil {
		j.key = f.Name
	}
	return j
}

func (j *judge) check(cells []cell) (key string, faults []events.Field) {
	key, faults = j.kind.Check(func(f *worker.Field) string { return textOf(cells, f.Name) })
	if j.key != "" {
		key = j.keyText(textOf(cells, j.key))
	}
	if len(key) > worker.MaxKey {
		key = ""
	}
	return key, faults
}

func (j *judge) keyText(text string) string {
	for i := range j.kind.Schema.Fields {
		if f := &j.kind.Schema.Fields[i]; f.Name == j.key {
			return f.KeyOf(text)
		}
	}
	return strings.TrimSpace(text)
}

// ruling is a row as an edit leaves it.
type ruling struct {
	edit
	key   string
	fault *events.Failure // nil: nothing is known to be wrong
}

// rule says what an edit, perhaps of nothing, makes of a row.
func (j *judge) rule(e *events.Event, with Cells) (ruling, error) {
	if j.kind.Schema == nil {
		if len(with) > 0 {
			return ruling{}, &ColumnError{"", "Rows of this kind have no columns."}
		}
		return ruling{key: e.Key}, nil
	}
	old, err := readCells(e.Params)
	if err != nil {
		return ruling{}, err
	}
	if with, err = j.names(old, with); err != nil {
		return ruling{}, err
	}
	r := ruling{edit: apply(old, with)}
	was, _ := j.check(old)
	key, faults := j.check(r.cells)
	if r.key = key; was != e.Key { // it was given with the job
		r.key = e.Key
	}
	twice, err := j.twice(e, r.key)
	if err != nil {
		return ruling{}, err
	}
	faults = slices.Concat(j.standing(e, old, r), j.again(e, old, r), twice, faults)
	r.fault = worker.Invalid(slices.CompactFunc(faults, func(a, b events.Field) bool {
		return a.Column == b.Column && a.Code == b.Code
	}))
	return r, nil
}

// standing are the faults that whoever read the row has found, and that its
// texts do not show: they stand until the cells they are about are replaced. A
// key that another row has stands until it is another key.
func (j *judge) standing(e *events.Event, old []cell, now ruling) (out []events.Field) {
	if e.Attempt > 0 || e.Faultless() {
		return nil
	}
	for _, f := range e.Faults() {
		gone := j.gone(f, old, now.edit)
		if f.Code == duplicateKey {
			gone = now.key != e.Key
		}
		if !j.judges(f, old) && !gone {
			out = append(out, f)
		}
	}
	return out
}

// again are the faults that a run has found in a text which an edit brings back.
func (j *judge) again(e *events.Event, old []cell, now ruling) (out []events.Field) {
	if !e.Faultless() {
		return nil
	}
	for _, f := range e.Faults() { // of an edited row, the cause is left
		is := textOf(now.cells, f.Column)
		if f.Value != "" && f.Value == is && textOf(old, f.Column) != is && !j.judges(f, old) {
			out = append(out, f)
		}
	}
	return out
}

// judges tells whether the rules of the column would find the fault again. A
// text that was cut is shorter than what was too long.
func (j *judge) judges(f events.Field, old []cell) bool {
	for i := range j.kind.Schema.Fields {
		if field := &j.kind.Schema.Fields[i]; field.Name == f.Column {
			cut := f.Code == worker.CodeTooLong && utf8.RuneCountInString(textOf(old, f.Column)) >= maxCell
			return field.Judges(f.Code) && !cut
		}
	}
	return false
}

// gone tells whether an edit has removed what the fault was about.
func (j *judge) gone(f events.Field, old []cell, now edit) bool {
	switch {
	case f.Column != "":
		return now.touched[f.Column]
	case f.Code == tooManyCells:
		return !slices.ContainsFunc(now.cells, func(c cell) bool {
			return strings.HasPrefix(c.name, extra) && !j.columns[c.name]
		})
	}
	untouched := func(c cell) bool { return !now.touched[c.name] }
	return len(now.touched) > 0 && !slices.ContainsFunc(old, untouched)
}
