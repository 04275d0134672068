package importers

import "github.com/rollcall-dev/rollcall/tasks"

// Options is how a person wants a file to be read.
type Options struct {
	Name      string            `json:"-"`                    // of the file, as uploaded
	Sheet     string            `json:"sheet,omitempty"`      // empty: the first that has cells
	HeaderRow int               `json:"header_row,omitempty"` // from 1; 0: found
	Mapping   map[string]string `json:"mapping,omitempty"`    // heading to field; "" leaves it out
	Limits    Limits            `json:"-"`
}

func (o Options) open() OpenOptions {
	return OpenOptions{Name: o.Name, Sheet: o.Sheet, HeaderRow: o.HeaderRow, Limits: o.Limits}
}

// of are the options under which a task's file was accepted.
func of(t *tasks.Task, l Limits) Options {
	return Options{Name: t.FileName, Sheet: t.FileSheet, HeaderRow: t.HeaderRow, Limits: l}
}
