package review

import (
	"strings"

	"github.com/rollcall-dev/rollcall/events"
)

// cells returns what the press writes into a row, nil for nothing. Texts that are not
// shown are not searched either: a caller who may not read them would find them piece by
// piece.
func (p *Press) cells(e *events.Event, j *Judge) (Cells, error) {
	if p.Put == nil {
		return p.Set, nil
	}
	unknown := Cells{p.Put.Column: nil} // is found to be wrong again
	if j.kind.Schema == nil {
		return unknown, nil
	}
	old, err := readCells(e.Params)
	if err != nil {
		return unknown, nil //nolint:nilerr // said above
	}
	name := j.name(old, p.Put.Column)
	if name == "" {
		return unknown, nil
	}
	was := textOf(old, name)
	if j.kind.ShowValue(name, was) != was {
		return nil, &ColumnError{p.Put.Column, "The texts of this column are not shown: set a whole new one."}
	}
	is := p.Put.replaced(was)
	if is == was {
		return nil, nil
	}
	return Cells{name: &is}, nil
}

// replaced is what becomes of a text.
func (r *Replace) replaced(text string) string {
	switch {
	case !r.Whole:
		return strings.ReplaceAll(text, r.Find, r.With)
	case text == r.Find:
		return r.With
	}
	return text
}
