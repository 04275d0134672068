package importers

import (
	"fmt"

	"github.com/rollcall-dev/rollcall/tasks"
)

// Options is how a person wants a file to be read.
type Options struct {
	Name      string            `json:"-"`                    // of the file, as uploaded
	Sheet     string            `json:"sheet,omitempty"`      // empty: the first that has cells
	HeaderRow int               `json:"header_row,omitempty"` // from 1; 0: found
	Encoding  string            `json:"encoding,omitempty"`   // of a text, a WHATWG name; empty: found
	Delimiter string            `json:"delimiter,omitempty"`  // of a text, one character; empty: found
	Mapping   map[string]string `json:"mapping,omitempty"`    // heading to field; "" leaves it out
	Limits    Limits            `json:"-"`
}

// BadOption is an option that no file can have. It is an error.
type BadOption struct {
	Name   string // as in JSON
	Detail string // in plain words
}

func (b *BadOption) Error() string { return b.Detail }

// Check finds what no file can have, whatever it holds: a *BadOption.
func (o Options) Check() error {
	if o.Encoding != "" {
		if _, err := named(o.Encoding, 0); err != nil {
			return &BadOption{"encoding", fmt.Sprintf("encoding: there is no character set %.100q. "+
				"Some are utf-8, utf-16le, windows-1252, windows-1251, shift_jis and gb18030.", o.Encoding)}
		}
	}
	if o.Delimiter != "" && !isDelimiter(o.Delimiter) {
		return &BadOption{"delimiter", "delimiter is one character such as , ; | or a tab: " +
			"no letter, digit, blank or quotation mark."}
	}
	return nil
}

// isDelimiter tells whether s is one character that can stand between cells.
func isDelimiter(s string) bool {
	if len(s) != 1 {
		return false
	}
	c := s[0]
	return c == '\t' || c > ' ' && c < 0x7f && c != '"' && c != '\'' &&
		!(c >= '0' && c <= '9') && !(c|0x20 >= 'a' && c|0x20 <= 'z')
}

func (o Options) open() OpenOptions {
	open := OpenOptions{
		Name: o.Name, Sheet: o.Sheet, HeaderRow: o.HeaderRow, Encoding: o.Encoding, Limits: o.Limits,
	}
	if isDelimiter(o.Delimiter) {
		open.Delimiter = rune(o.Delimiter[0])
	}
	return open
}

// of are the options under which a task's file was accepted.
func of(t *tasks.Task, l Limits) Options {
	return Options{
		Name: t.FileName, Sheet: t.FileSheet, HeaderRow: t.HeaderRow,
		Encoding: t.FileEncoding, Delimiter: t.FileDelimiter, Limits: l,
	}
}
