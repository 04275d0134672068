package ingest

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/importers/drafts"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
)

// CheckColumns returns an error if the rows lack a column that the options name: a heading of the mapping,
// the column of start times, or the key column.
func (r *Request) CheckColumns(columns []tasks.Column) error {
	if err := r.checkMapping(columns); err != nil {
		return err
	}
	if name := r.Options.RunAtColumn; name != "" && !drafts.HasColumn(r.Kind, columns, name) {
		return badOption("run_at_column", fmt.Sprintf(
			"run_at_column: there is no heading and no field %.100q that can hold the times.", name))
	}
	return r.checkKey(columns)
}

// checkKey returns an error if the rows lack the key column that the options name or need.
func (r *Request) checkKey(columns []tasks.Column) error {
	o := r.Options.Options
	switch {
	case o.HasKey(r.Kind, columns):
		return nil
	case o.KeyColumn != "":
		return badOption("key_column", fmt.Sprintf(
			"key_column: there is no heading and no field %.100q that can be the key.", o.KeyColumn))
	case o.Duplicates != "" && o.Duplicates != importers.KeepAll:
		return badOption("duplicates", fmt.Sprintf(
			"duplicates: rows of %s have no key. Name the key column in key_column.", r.Kind.Name))
	}
	return nil
}

// fieldOf returns the name of the field that matches a name; "" if the kind has no such field.
func fieldOf(kind jobs.Kind, name string) string {
	if f := kind.Schema.Match([]string{name}, nil).Fields[0]; f != nil {
		return f.Name
	}
	return ""
}

// checkMapping returns an error if the mapping names a heading that the file lacks.
func (r *Request) checkMapping(columns []tasks.Column) error {
	for _, heading := range slices.Sorted(maps.Keys(r.Options.Mapping)) {
		named := func(c tasks.Column) bool { return c.Header == heading }
		if !slices.ContainsFunc(columns, named) {
			return badOption("mapping", fmt.Sprintf("mapping: the file has no heading %.100q.", heading))
		}
	}
	return nil
}

// CheckNoFile returns an error if an option is set that applies only to a table in a file.
func (r *Request) CheckNoFile() error {
	if o := r.Options; o.Sheet != "" || o.HeaderRow != 0 || len(o.Mapping) > 0 ||
		o.Encoding != "" || o.Delimiter != "" || o.Decimal != "" {
		return badOption("", "sheet, header_row, mapping, encoding, delimiter and decimal are for files: "+
			"these rows name their fields.")
	}
	return nil
}
