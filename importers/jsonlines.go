package importers

import (
	"io"

	"github.com/rollcall-dev/rollcall/importers/jsonrows"
	"github.com/rollcall-dev/rollcall/internal/jobs"
)

// InspectJSONLines checks the first row in the body of a request. The body has one JSON object per
// line, in UTF-8, not compressed. For an invalid row, or a body without rows, it returns a
// *tabular.Problem.
func InspectJSONLines(r io.Reader, kind jobs.Kind) (Inspection, error) {
	in, err := inspectRow(jsonrows.NewLines(r), kind)
	in.Format, in.Encoding = jsonrows.FormatLines, "utf-8"
	return in, err
}
