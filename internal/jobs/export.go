package jobs

import (
	"context"
	"encoding/json"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/table"
)

// Export holds the properties of a kind that makes files.
type Export struct {
	// Params describes the parameters; nil if there are none.
	Params *rowschema.Schema

	// Columns are the possible columns of a file, in the order of the fields of the Go type of a row.
	Columns []table.Column

	// Check returns the faults of parameters. The argument `params` holds the values by name.
	Check func(params map[string]string) []events.Field

	// Plan makes the jobs of a task from its request.
	Plan func(ctx context.Context, taskID, tenant string, r ExportRequest) ([]events.Draft, error)
}

// ExportRequest is a request for an export. It is stored as the options of the task.
type ExportRequest struct {
	Params map[string]string `json:"params"` // by name, as the texts of cells
	table.Spec
}

// PartFiles is the store of the files of an export's parts; package exporters implements it.
type PartFiles interface {
	// Open starts the file of a part, or continues after the rows that an earlier run has saved. The
	// argument `columns` holds the selected columns.
	Open(ctx context.Context, c *Call, spec table.Spec, columns []table.Column) (PartFile, error)
}

// PartFile is the file of a part that is being written. Only one goroutine may use it.
type PartFile interface {
	// Cursor returns the cursor that Save stored last, in this run or an earlier one; nil if there is
	// none.
	Cursor() json.RawMessage

	// Add adds a row. After an error, every later call returns the same error.
	Add(cells []table.Cell) error

	// Save stores the rows so far with the cursor. It stores nothing while the rows after the last
	// stored ones have fewer bytes than the store requires. A later run continues after the stored rows.
	Save(ctx context.Context, cursor json.RawMessage) error

	// Rows returns the number of rows added, including those that earlier runs added.
	Rows() int64

	// Close completes the file, and returns the result of the job. The argument `kept` is the
	// result of the handler, which becomes a member of the job's result; nil if the handler stored
	// none.
	Close(ctx context.Context, kept json.RawMessage) (result any, err error)

	// Drop abandons the file. After Close it is a no-op.
	Drop()
}
