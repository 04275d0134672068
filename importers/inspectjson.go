package importers

import (
	"errors"
	"fmt"
	"io"

	"github.com/rollcall-dev/rollcall/importers/drafts"
	"github.com/rollcall-dev/rollcall/importers/jsonrows"
	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// CodeOptionUnfit means that an option does not apply to the format of the file.
const CodeOptionUnfit = "OPTION_UNFIT"

// inspectJSON checks the options and the first row of a file in JSON.
func inspectJSON(j *source.JSON, kind jobs.Kind, opt Options) (Inspection, error) {
	if opt.Sheet != "" || opt.HeaderRow != 0 || len(opt.Mapping) > 0 || opt.Delimiter != "" || opt.Decimal != "" {
		return Inspection{}, tabular.Problemf(CodeOptionUnfit, "The file holds rows in JSON, which name "+
			"their fields: leave out sheet, header_row, delimiter, decimal and mapping.")
	}
	in, err := inspectRow(j, kind)
	in.Format, in.Encoding = j.Format, j.Encoding
	return in, err
}

// inspectRow checks that the first row is a JSON object, and returns the fields of the kind as columns.
// For an invalid or missing row it returns a *tabular.Problem.
func inspectRow(rows jsonrows.Reader, kind jobs.Kind) (Inspection, error) {
	text, err := rows.Next()
	var file *tabular.Problem
	switch {
	case err == io.EOF:
		return Inspection{}, tabular.Problemf(tabular.CodeEmptyFile, "There are no rows: send JSON objects, "+
			"one a line, or a list of them.")
	case errors.Is(err, jsonrows.ErrTooLong):
		return Inspection{}, &tabular.Problem{
			Code: rowschema.CodeRowTooLarge, Row: rows.At(), Detail: "The first row is too large.",
		}
	case errors.As(err, &file):
		return Inspection{}, err
	case err != nil:
		return Inspection{}, fmt.Errorf("read upload: %w", err)
	}
	var bad *jsonrows.Malformed
	if errors.As(jsonrows.Check(text), &bad) {
		p := &tabular.Problem{
			Code: bad.Code, Row: rows.At(),
			Detail: "The first row cannot be read: there must be a JSON object in each line, " +
				"or one list of them. " + bad.Detail,
		}
		p.Errors = []tabular.Fault{{Row: rows.At(), Code: bad.Code, Detail: bad.Detail}}
		return Inspection{}, p
	}
	return Inspection{Columns: drafts.JSONColumns(kind)}, nil
}
