package web

import (
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// fieldOf is what a kind calls a field; "" if it has none of that name.
func fieldOf(kind worker.Kind, name string) string {
	if f := kind.Schema.Match([]string{name}, nil).Fields[0]; f != nil {
		return f.Name
	}
	return ""
}

// checkMapping finds a mapping that the file does not let come true: nothing
// is left out in silence.
func (u *upload) checkMapping(columns []tasks.Column) error {
	for _, heading := range slices.Sorted(maps.Keys(u.options.Mapping)) {
		i := slices.IndexFunc(columns, func(c tasks.Column) bool { return c.Header == heading })
		if i < 0 {
			return badOption("mapping", fmt.Sprintf("mapping: the file has no heading %.100q.", heading))
		}
		want := u.options.Mapping[heading]
		if want != "" && columns[i].Field != fieldOf(u.kind, want) {
			return badOption("mapping", fmt.Sprintf("mapping: another column feeds %s already. "+
				"Leave that one out: map it to an empty text.", want))
		}
	}
	return nil
}

// checkColumns finds a heading that would be taken for a field which another
// column feeds: the value of one would stand in place of the other's.
func checkColumns(columns []tasks.Column) error {
	for _, c := range columns {
		feeds := func(o tasks.Column) bool { return o.Field == c.Header }
		if i := slices.IndexFunc(columns, feeds); c.Field == "" && i >= 0 {
			return refuse(http.StatusUnprocessableEntity, "AMBIGUOUS_COLUMN", fmt.Sprintf(
				"The columns %.100q and %.100q both mean %s. Rename one of them in the file, "+
					"or remove it.", columns[i].Header, c.Header, c.Header))
		}
	}
	return nil
}
