package worker

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/table"
)

// Plan is the input of an export's plan function.
type Plan[P any] struct {
	TaskID, Tenant string
	Params         P
}

// Part is a part of an export that one job writes.
type Part struct {
	Args any    // select the rows, such as a range of keys; as JSON with the params at most MaxParams
	Name string // for people; may be empty
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

// Exporter is a kind whose tasks write a file, from DefineExport.
type Exporter[P, Row any] struct {
	kind   jobs.Kind
	params *rowschema.Schema
	rows   *rowschema.Schema
	plan   func(ctx context.Context, p Plan[P]) ([]Part, error)
	write  func(ctx context.Context, part PartJob[P], w RowWriter[Row]) error
}

// DefineExport makes a kind whose tasks write a file. The function `plan` returns the parts;
// `write` writes one part, in parallel with others. The file has the parts in order. A field with
// the tag `row` is a parameter in P and a column in Row. Both functions may be called again, as after
// a crash.
func DefineExport[P, Row any](
	name string,
	plan func(ctx context.Context, p Plan[P]) ([]Part, error),
	write func(ctx context.Context, part PartJob[P], w RowWriter[Row]) error,
	opts ...Option,
) *Exporter[P, Row] {
	e := &Exporter[P, Row]{params: rowschema.Of[P](), rows: rowschema.Of[Row](), plan: plan, write: write}
	if e.rows == nil {
		panic(fmt.Sprintf("worker: %s: no field of a row has a row tag", name))
	}
	s := spec{Kind: jobs.Kind{Name: name, Shards: 5, Weight: 1, MaxRetries: 25, BatchSize: 1}}
	var use []Middleware
	e.kind, use = s.with(plan == nil || write == nil, opts)
	e.kind.Run = public(wrap(e.run, use))
	if k := e.kind; k.Untracked || k.Latest || k.Unique > 0 || k.BatchSize != 1 {
		panic(fmt.Sprintf("worker: %s: an export cannot use Track, Latest, Unique or BatchSize", name))
	}
	e.kind.Export = &jobs.Export{Params: e.params, Columns: columnsOf(e.rows), Check: e.check, Plan: e.drafts}
	return e
}

func (e *Exporter[P, Row]) definition() jobs.Kind { return e.kind }

// partParams holds the params of a part's job.
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
	return e.params.Parse(&p, func(f *rowschema.Field) string { return params[f.Name] })
}

// read parses the parameters of an export into a P. It returns a *Failure if they break a rule.
func (e *Exporter[P, Row]) read(params map[string]string) (p P, err error) {
	if e.params == nil {
		return p, nil
	}
	if faults := e.params.Parse(&p, func(f *rowschema.Field) string { return params[f.Name] }); len(faults) > 0 {
		return p, failureOf(rowschema.Invalid(faults))
	}
	return p, nil
}

// drafts calls the plan of an export, and returns a draft for each part.
func (e *Exporter[P, Row]) drafts(
	ctx context.Context, taskID, tenant string, r jobs.ExportRequest,
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

// run writes the part of one job with the write function of the export.
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
		return Fail("EXPORT_OUTDATED", "The export is outdated. Start it again. %s", no.Detail)
	}
	if c.state().Parts == nil {
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

// columnsOf returns the columns of a file whose rows have the schema.
func columnsOf(s *rowschema.Schema) []table.Column {
	var out []table.Column
	for i := range s.Fields {
		out = append(out, table.Column{Name: s.Fields[i].Name, Type: s.Fields[i].Type})
	}
	return out
}
