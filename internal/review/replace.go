package review

import (
	"strings"

	"github.com/rollcall-dev/rollcall/events"
)

// cells returns the texts that the bulk action writes into a row; nil if it writes none. It returns an
// error for a replacement in a sensitive column. Otherwise, a caller without the right to read the texts
// could guess them piece by piece, and find empty cells.
func (p *BulkAction) cells(e *events.Event, j *Validator) (Cells, error) {
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
	if j.kind.Hides(name) {
		return nil, notShown(p.Put.Column)
	}
	oldText := textOf(old, name)
	newText := p.Put.replaced(oldText)
	if newText == oldText {
		return nil, nil
	}
	return Cells{name: &newText}, nil
}

func (r *Replace) replaced(text string) string {
	switch {
	case !r.Whole:
		return strings.ReplaceAll(text, r.Find, r.With)
	case text == r.Find:
		return r.With
	}
	return text
}
