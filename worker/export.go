package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/table"
)

// MaxParts is the most parts of an export.
const MaxParts = 10_000

// ErrNoFiles means that a part ran without a file store, as with a registry used by Go code alone.
var ErrNoFiles = errors.New("there is no place for the file of a part")

// Plan is the input of an export's plan.
type Plan[P any] struct {
	TaskID string
	Tenant string
	Params P
}

// Part is a slice of an export that one job writes.
type Part struct {
	// Args select the rows of the part for the writer, such as a range of keys. Stored as JSON, of
	// at most 100 kB.
	Args any

	// Name is the name of the part for people. Default empty.
	Name string
}

// PartJob is one run of the job that writes a part.
type PartJob[P any] struct {
	*Call
	Params P
	args   json.RawMessage
}

// Args decodes the arguments of the part into v.
func (p PartJob[P]) Args(v any) error {
	if err := json.Unmarshal(p.args, v); err != nil {
		return fmt.Errorf("worker: part %s: %w", p.ID, err)
	}
	return nil
}

// Exporter is a kind of job that makes a file. Make it with DefineExport.
type Exporter[P, Row any] struct {
	kind   Kind
	params *Schema
	rows   *Schema
	plan   func(ctx context.Context, p Plan[P]) ([]Part, error)
	write  func(ctx context.Context, part PartJob[P], w RowWriter[Row]) error
}

// DefineExport makes a kind whose tasks make a file. plan returns the parts of the file. Each part
// is a job of the task, and write writes its rows. Parts run in parallel on all workers. Their rows
// are in the file in the order of the plan, the same bytes for any number of workers. The failure
// of a part does not affect the others.
//
// The fields of P with a row tag are the parameters, checked like the cells of a row; those of Row
// are the columns. After a crash plan may be called again, until its parts are in the ledger. A
// business failure of plan ends the task; any other error is retried a few times. write may be
// called again, too: no file contains rows of an incomplete run.
//
// It panics if the name, a tag or an option is wrong.
func DefineExport[P, Row any](
	name string,
	plan func(ctx context.Context, p Plan[P]) ([]Part, error),
	write func(ctx context.Context, part PartJob[P], w RowWriter[Row]) error,
	opts ...Option,
) *Exporter[P, Row] {
	e := &Exporter[P, Row]{params: schemaOf[P](), rows: schemaOf[Row](), plan: plan, write: write}
	if e.rows == nil {
		panic(fmt.Sprintf("worker: %s: no field of a row has a row tag", name))
	}
	bare := &Definition[struct{}]{kind: Kind{Run: e.run}}
	bare.define(name, plan == nil || write == nil, opts)
	e.kind = bare.kind
	if k := e.kind; k.Untracked || k.Latest || k.Unique > 0 || k.BatchSize != 1 {
		panic(fmt.Sprintf("worker: %s: Track, Latest, Unique and BatchSize are not for exports", name))
	}
	e.kind.Export = &Export{Params: e.params, Columns: columnsOf(e.rows), Check: e.check, Plan: e.drafts}
	return e
}

// Kind returns the definition as a Kind.
func (e *Exporter[P, Row]) Kind() Kind { return e.kind }

// Export describes a kind that makes files, for the other packages of Rollcall.
type Export struct {
	// Params describes the parameters; nil if there are none.
	Params *Schema

	// Columns are the possible columns of a file, in the order of the struct.
	Columns []table.Column

	// Check returns the faults of parameters, given by name.
	Check func(params map[string]string) []events.Field

	// Plan makes the jobs of a task from its request.
	Plan func(ctx context.Context, taskID, tenant string, r ExportRequest) ([]events.Draft, error)
}

// ExportRequest is the request of an export; a task stores it as its options.
type ExportRequest struct {
	Params map[string]string `json:"params"` // by name, as the texts of cells
	table.Spec
}

// partParams is the params of a part's job.
type partParams struct {
	Part   string            `json:"part,omitempty"`
	Params map[string]string `json:"params"`
	Args   json.RawMessage   `json:"args"`
	File   table.Spec        `json:"file"`
}

func (e *Exporter[P, Row]) check(params map[string]string) []events.Field {
	if e.params == nil {
		return nil
	}
	var p P
	return e.params.parse(&p, func(f *Field) string { return params[f.Name] })
}

// read parses parameters into a P.
func (e *Exporter[P, Row]) read(params map[string]string) (p P, err error) {
	if e.params == nil {
		return p, nil
	}
	if faults := e.params.parse(&p, func(f *Field) string { return params[f.Name] }); len(faults) > 0 {
		return p, invalid(faults)
	}
	return p, nil
}

// drafts plans an export.
func (e *Exporter[P, Row]) drafts(
	ctx context.Context, taskID, tenant string, r ExportRequest,
) ([]events.Draft, error) {
	p, err := e.read(r.Params)
	if err != nil {
		return nil, err
	}
	parts, err := e.plan(ctx, Plan[P]{TaskID: taskID, Tenant: tenant, Params: p})
	if err != nil {
		return nil, err
	}
	if len(parts) > MaxParts {
		return nil, fmt.Errorf("worker: %s has planned %d parts, more than %d", e.kind.Name, len(parts), MaxParts)
	}
	out := make([]events.Draft, len(parts))
	for i, part := range parts {
		args, err := json.Marshal(part.Args)
		if err == nil {
			out[i].Params, err = json.Marshal(partParams{part.Name, r.Params, args, r.Spec})
		}
		if err != nil {
			return nil, fmt.Errorf("worker: %s, part %d: %w", e.kind.Name, i+1, err)
		}
		if len(out[i].Params) > MaxParams {
			return nil, fmt.Errorf("worker: %s, part %d: its arguments are too large", e.kind.Name, i+1)
		}
	}
	return out, nil
}

// run writes a part.
func (e *Exporter[P, Row]) run(ctx context.Context, calls ...*Call) error {
	c := calls[0]
	var job partParams
	if err := json.Unmarshal(c.Params, &job); err != nil {
		return NoRetry(fmt.Errorf("worker: part %s: %w", c.ID, err))
	}
	p, err := e.read(job.Params)
	if err != nil {
		return err
	}
	columns := columnsOf(e.rows)
	if no := job.File.Check(columns); no != nil { // from another version of the struct
		return Fail("EXPORT_OUTDATED", "This export cannot be made any more: %s", no.Detail)
	}
	if c.Parts == nil {
		return ErrNoFiles
	}
	w, err := newRowWriter[Row](ctx, c, e.rows, job.File)
	if err != nil {
		return err
	}
	defer w.file.Drop() // a no-op after close
	if err := e.write(ctx, PartJob[P]{Call: c, Params: p, args: job.Args}, RowWriter[Row]{w}); err != nil {
		return err
	}
	return w.close(ctx, c)
}

// columnsOf returns the columns of a file with these rows.
func columnsOf(s *Schema) []table.Column {
	var out []table.Column
	for i := range s.Fields {
		out = append(out, table.Column{Name: s.Fields[i].Name, Type: s.Fields[i].Type})
	}
	return out
}
