package importers

import (
	"io"

	"github.com/rollcall-dev/rollcall/importers/jsonrows"
	"github.com/rollcall-dev/rollcall/internal/jobs"
)

// InspectJSONLines checks the first row of a file with one JSON object per line, as it is in the
// body of a request: UTF-8, and not compressed. An invalid row is a *Problem.
func InspectJSONLines(r io.Reader, kind jobs.Kind) (Inspection, error) {
	in, err := inspectRow(jsonrows.NewLines(r), kind)
	in.Format, in.Encoding = jsonrows.FormatLines, "utf-8"
	return in, err
}
