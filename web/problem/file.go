package problem

import (
	"net/http"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/ingest"
)

// fileStatus maps codes of file problems to HTTP statuses. All other codes have status 422.
var fileStatus = map[string]int{
	tabular.CodeOldExcelFormat:    http.StatusUnsupportedMediaType,
	tabular.CodeUnsupportedFormat: http.StatusUnsupportedMediaType,
	tabular.CodeZipBomb:           http.StatusRequestEntityTooLarge,
	source.CodeNestedArchive:      http.StatusRequestEntityTooLarge,
	tabular.CodeTooManyRows:       http.StatusRequestEntityTooLarge,
	tabular.CodeTooManyColumns:    http.StatusRequestEntityTooLarge,
}

// ofRequest returns the problem of a request that cannot create a task.
func ofRequest(e *ingest.Error) *Problem {
	status := http.StatusUnprocessableEntity
	if e.Code == "DUPLICATE_FILE" {
		status = http.StatusConflict
	}
	return New(status, e.Code, e.Detail).At(e.Pointer)
}

// OfFile returns the problem of a file that cannot be imported.
func OfFile(f *tabular.Problem) *Problem {
	status := http.StatusUnprocessableEntity
	if s, ok := fileStatus[f.Code]; ok {
		status = s
	}
	p := New(status, f.Code, f.Detail)
	p.Choices = f.Choices
	for _, e := range f.Errors {
		p.Errors = append(p.Errors, Fault{
			Column: e.Column, Row: e.Row, Code: e.Code, Detail: e.Detail, name: e.Name, near: e.Near,
		})
	}
	p.row, p.Suggested = f.Row, f.Mapping
	if len(f.Names) > 0 {
		p.Args = map[string]string{"list": strings.Join(f.Names, ", ")}
	}
	return p
}
