package review

import (
	"strings"

	"github.com/rollcall-dev/rollcall/events"
)

// cells returns the texts that the bulk action writes into a row; nil if it writes none. It does not
// search masked texts, since a caller without the right to read them could guess them piece by
// piece.
func (p *BulkAction) cells(e *events.Event, j *Judge) (Cells, error) {
	switch {
	case p.Fix != nil:
		return p.fixed(e, j)
	case p.Put == nil:
		return p.Set, nil
	}
	unknown := Cells{p.Put.Column: nil} // reported as a fault later
	if j.kind.Schema == nil {
		return unknown, nil
	}
	old, err := readCells(e.Params)
	if err != nil {
		return unknown, nil //nolint:nilerr // see unknown
	}
	name := j.name(old, p.Put.Column)
	if name == "" {
		return unknown, nil
	}
	oldText := textOf(old, name)
	if j.kind.ShowValue(name, oldText) != oldText {
		return nil, notShown(p.Put.Column)
	}
	newText := p.Put.replaced(oldText)
	if newText == oldText {
		return nil, nil
	}
	return Cells{name: &newText}, nil
}

// replaced returns the text after the replacement.
func (r *Replace) replaced(text string) string {
	switch {
	case !r.Whole:
		return strings.ReplaceAll(text, r.Find, r.With)
	case text == r.Find:
		return r.With
	}
	return text
}
