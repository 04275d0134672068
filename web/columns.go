package web

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/worker"
)

// fieldOf is what a kind calls a field; "" if it has none of that name.
func fieldOf(kind worker.Kind, name string) string {
	if f := kind.Schema.Match([]string{name}, nil).Fields[0]; f != nil {
		return f.Name
	}
	return ""
}

// checkMapping finds a mapping of a heading that the file does not have: nothing
// is left out in silence.
func (u *upload) checkMapping(columns []tasks.Column) error {
	for _, heading := range slices.Sorted(maps.Keys(u.options.Mapping)) {
		named := func(c tasks.Column) bool { return c.Header == heading }
		if !slices.ContainsFunc(columns, named) {
			return problem.BadOption("mapping", fmt.Sprintf("mapping: the file has no heading %.100q.", heading))
		}
	}
	return nil
}
