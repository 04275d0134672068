package review

import (
	"cmp"
	"context"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Ledger is the part of decisions.Store that a Validator reads.
type Ledger interface {
	Holders(ctx context.Context, num int64, lane events.Lane, rule decisions.KeyRule, keys []string) ([]decisions.Holder, error)
}

// Validator holds the rules by which rows of one task may run again. Every act that runs rows again
// calls Validate, so all acts reject the same rows for the same reasons. A Validator serves one act. It is
// not safe for concurrent use.
type Validator struct {
	kind    jobs.Kind
	task    *tasks.Task
	columns map[string]bool   // of the file or the kind, by their names in params
	key     string            // the column that orders the rows instead of the kind's key
	start   string            // the column with the times before which rows do not run
	keys    *keyOwners        // nil: keys need not be unique
	num     int64             // of the task
	lane    events.Lane       // of the task
	keyRule decisions.KeyRule // of the task, for rows of one key
	from    Ledger            // the source of Holders
	anyway  bool              // rows run even if other rows of their key count instead
}

// NewValidator returns a validator for the rows of a task. A dry run changes nothing in the ledger, so the validator
// of a dry run keeps its earlier decisions in memory.
func NewValidator(kind jobs.Kind, t *tasks.Task, from Ledger, dry bool) *Validator {
	j := &Validator{kind: kind, task: t, columns: map[string]bool{}, num: t.Num, lane: laneOf(t), keyRule: ruleOf(t), from: from}
	if kind.Schema == nil {
		return j
	}
	for _, f := range kind.Schema.Fields {
		j.columns[f.Name] = true
	}
	for _, c := range t.Columns {
		j.columns[cmp.Or(c.Field, c.Header)] = true
	}
	j.key, j.start = j.columnOf(t, "key_column"), j.columnOf(t, "run_at_column")
	if j.keyRule == decisions.OneRow {
		j.keys = newKeyOwners(t, j.keyColumn(), from, dry)
	}
	return j
}

// columnOf returns the column that an option of the task names, as its name in params. It returns "" if
// the option is empty, or if there is no such column.
func (j *Validator) columnOf(t *tasks.Task, option string) (name string) {
	want, _ := t.Options[option].(string)
	if want == "" {
		return ""
	}
	for _, c := range t.Columns {
		if c.Header == want || c.Field == want {
			name = cmp.Or(c.Field, c.Header)
		}
	}
	if f := j.kind.Schema.Match([]string{want}, nil).Fields[0]; name == "" && f != nil {
		name = f.Name
	}
	return name
}

// ruleOf returns the rule of a task for several rows of one key.
func ruleOf(t *tasks.Task) decisions.KeyRule {
	name, _ := t.Options["duplicates"].(string)
	return decisions.KeyRule(name)
}

func laneOf(t *tasks.Task) events.Lane { return events.Lane{Tenant: t.Tenant, Kind: t.Kind} }

// keyColumn returns the column that holds the key of a row; "" if there is none.
func (j *Validator) keyColumn() string {
	for i := range j.kind.Schema.Fields {
		if f := &j.kind.Schema.Fields[i]; f.Key && j.key == "" {
			return f.Name
		}
	}
	return j.key
}

// check returns the key of a row and the faults found by the rules of the kind. A key longer than rowschema.MaxKey
// is a fault, too. The cells of the columns in `unread` count as empty, also the cell with the key.
func (j *Validator) check(cells []cell, unread map[string]bool) (key string, faults []events.Field) {
	read := func(name string) string {
		if unread[name] {
			return ""
		}
		return textOf(cells, name)
	}
	key, faults = j.kind.Check(func(f *rowschema.Field) string { return read(f.Name) })
	if j.key != "" {
		key = j.keyText(read(j.key))
	}
	if len(key) > rowschema.MaxKey {
		return "", append(faults, longKey(j.keyColumn()))
	}
	return key, faults
}

func (j *Validator) keyText(text string) string {
	for i := range j.kind.Schema.Fields {
		if f := &j.kind.Schema.Fields[i]; f.Name == j.key {
			return f.KeyOf(text)
		}
	}
	return strings.TrimSpace(text)
}
