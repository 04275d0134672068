package importers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// CodeNoKnownColumn means that no heading of the file matches a column of the kind.
const CodeNoKnownColumn = "NO_KNOWN_COLUMN"

// unmatched returns a warning that names the columns without a field, and the fields that they may mean.
// It omits columns that the mapping assigns to no field. Without other columns it returns nil.
func (in Inspection) unmatched(kind jobs.Kind, mapping map[string]string) []string {
	var names []string
	for _, c := range in.Columns {
		if _, mapped := mapping[c.Header]; c.Field != "" || mapped {
			continue
		}
		name := fmt.Sprintf("%q", textutil.Truncate(c.Header, tabular.MaxQuoted))
		if near := in.Near[c.Header]; near != "" {
			name += " (" + near + "?)"
		}
		names = append(names, name)
	}
	if names == nil {
		return nil
	}
	return []string{words.English("warning.unused", map[string]string{"columns": strings.Join(names, ", ")})}
}

// noMatch returns a problem if no column of the file matches a field.
func noMatch(m rowschema.Matching, in Inspection, headings []string, kind jobs.Kind) error {
	if !m.None() {
		return nil
	}
	var fields []string
	for _, f := range kind.Schema.Fields {
		fields = append(fields, f.Name)
	}
	return &tabular.Problem{
		Code: CodeNoKnownColumn, Row: in.HeaderRow, Mapping: in.Near,
		Detail: fmt.Sprintf("No heading of the file is a column of %[1]s. The file has: %[2]s. %[1]s has: %[3]s. "+
			"Rename the headings, or choose a column for each.",
			kind.DisplayName(words.Default), strings.Join(headings, ", "), strings.Join(fields, ", ")),
	}
}

// joined returns the warnings of both lists, without duplicates.
func joined(some, more []string) []string {
	out := slices.Clone(some)
	for _, text := range more {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
