package importers

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/drafts"
	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/importers/textfile"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Options holds the choices of a user for the import of a file.
type Options struct {
	Name      string            `json:"-"`                    // file name of the upload
	Sheet     string            `json:"sheet,omitempty"`      // empty: the first visible sheet with cells
	HeaderRow int               `json:"header_row,omitempty"` // from 1; 0: the reader searches for it
	Encoding  string            `json:"encoding,omitempty"`   // WHATWG name of the character set of a text; empty: detected
	Delimiter string            `json:"delimiter,omitempty"`  // one character between the cells of a text; empty: detected
	Decimal   string            `json:"decimal,omitempty"`    // decimal sign of numbers in texts, a comma or a point; empty: guessed
	Mapping   map[string]string `json:"mapping,omitempty"`    // heading to field; "": the column matches no field
	Limits    tabular.Limits    `json:"-"`

	// KeyColumn is the heading or the field of the column with the ordering key. "" means the key
	// of the kind.
	KeyColumn string `json:"key_column,omitempty"`

	// RunAtColumn is the heading or the field of the column with start times. A row does not run
	// before its start time. "" means that no column delays rows.
	RunAtColumn string `json:"run_at_column,omitempty"`

	// Duplicates decides what happens to rows with the same key. Default KeepAll.
	Duplicates string `json:"duplicates,omitempty"`

	// OnInvalid decides whether the valid rows wait if another row of the file is invalid. Default
	// FailRow.
	OnInvalid string `json:"on_invalid,omitempty"`

	// Mode decides whether the valid rows run if another row of the file is invalid. Default BestEffort.
	Mode string `json:"mode,omitempty"`
}

// These are the values of Options.Duplicates. They decide what happens to rows with the same key.
const (
	KeepAll = "keep_all" // all rows run, in their order
	Latest  = "latest"   // the last valid row runs; with versions, the last of the greatest version
	First   = "first"    // the first valid row runs
	Refuse  = "error"    // all rows after the first are invalid
)

// These are the values of Options.OnInvalid and Options.Mode. They decide the effect of an invalid row
// on the other rows.
const (
	FailRow      = "fail_row"       // no effect
	Block        = "block"          // no row runs until a user resumes the task
	BestEffort   = "best_effort"    // no effect
	AllOrNothing = "all_or_nothing" // no row ever runs
)

// Hold returns the reason why the rows of a new task with these options do not run yet, or
// tasks.HoldNone if they may run.
func (o Options) Hold() tasks.Hold {
	switch {
	case o.Mode == AllOrNothing:
		return tasks.HoldAll
	case o.OnInvalid == Block:
		return tasks.HoldBlock
	}
	return tasks.HoldNone
}

// WithDefaults returns the options with defaults for empty fields Duplicates, OnInvalid and Mode.
func (o Options) WithDefaults() Options {
	o.Duplicates = cmp.Or(o.Duplicates, KeepAll)
	o.OnInvalid = cmp.Or(o.OnInvalid, FailRow)
	o.Mode = cmp.Or(o.Mode, BestEffort)
	return o
}

// BadOption is the error that an option is invalid for every file.
type BadOption struct {
	Name   string // name in JSON
	Detail string // in plain words
}

func (b *BadOption) Error() string { return b.Detail }

// Check returns an error with a *BadOption if an option is invalid for every file.
func (o Options) Check() error {
	if o.Encoding != "" {
		if !textfile.IsCharset(o.Encoding) {
			return &BadOption{"encoding", fmt.Sprintf("encoding: there is no character set %.100q. "+
				"Some are utf-8, utf-16le, windows-1252, windows-1251, shift_jis and gb18030.", o.Encoding)}
		}
	}
	if o.Delimiter != "" && !textfile.IsDelimiter(o.Delimiter) {
		return &BadOption{"delimiter", "delimiter is one character such as , ; | or a tab: " +
			"no letter, digit, blank or quotation mark."}
	}
	return errors.Join(
		among("decimal", o.Decimal, ",", "."),
		among("duplicates", o.Duplicates, KeepAll, Latest, First, Refuse),
		among("on_invalid", o.OnInvalid, FailRow, Block),
		among("mode", o.Mode, BestEffort, AllOrNothing))
}

// among returns a *BadOption if the value of an option is neither "" nor one of the known values.
func among(name, value string, known ...string) error {
	if value == "" || slices.Contains(known, value) {
		return nil
	}
	return &BadOption{name, fmt.Sprintf("%s is one of %s.", name, strings.Join(known, ", "))}
}

// Reading returns the options for reading the bytes of a file.
func (o Options) Reading() source.Options {
	out := source.Options{
		Name: o.Name, Sheet: o.Sheet, HeaderRow: o.HeaderRow, Encoding: o.Encoding, Limits: o.Limits,
	}
	if textfile.IsDelimiter(o.Delimiter) {
		out.Delimiter = rune(o.Delimiter[0])
	}
	return out
}

// HasKey reports whether the rows have ordering keys. The argument `columns` holds the columns of the file.
func (o Options) HasKey(kind jobs.Kind, columns []tasks.Column) bool {
	return drafts.HasKey(kind, columns, o.KeyColumn)
}

// optionsOf returns the options of an accepted task that are needed to read the rows of its file.
func optionsOf(t *tasks.Task, l tabular.Limits) Options {
	text := func(name string) string {
		s, _ := t.Options[name].(string) // a task without options has none
		return s
	}
	return Options{
		Name: t.FileName, Sheet: t.FileSheet, HeaderRow: t.HeaderRow,
		Encoding: t.FileEncoding, Delimiter: t.FileDelimiter, Limits: l,
		KeyColumn: text("key_column"), RunAtColumn: text("run_at_column"), Duplicates: text("duplicates"), Decimal: text("decimal"),
	}
}
