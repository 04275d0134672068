package exporters

import (
	"compress/flate"
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/table"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Parts is the jobs.PartFiles that stores the rows of parts in the blob store. It is safe for
// concurrent use.
type Parts struct {
	tasks *tasks.Store
	files blobs.Store
	until atomic.Int64 // unix ns: until then, a commit may record the end of a part

	saveBytes int64 // least bytes of the rows of a file; smaller only in tests
}

// NewParts returns the Parts of a blob store.
func NewParts(ts *tasks.Store, files blobs.Store) *Parts {
	return &Parts{tasks: ts, files: files, saveBytes: saveBytes}
}

// Open begins the file of a part, or continues after the rows that an earlier run has saved.
func (p *Parts) Open(
	ctx context.Context, c *jobs.Call, spec table.Spec, columns []table.Column,
) (jobs.PartFile, error) {
	rows, err := table.NewRows(spec, columns)
	if err != nil {
		return nil, fmt.Errorf("exporters: part %s: %w", c.ID, err)
	}
	f := &partFile{parts: p, call: c, ctx: ctx, rows: rows}
	if spec.Compression != "" || spec.Format == table.XLSX {
		if f.packer, err = newPacker(spec); err != nil {
			return nil, fmt.Errorf("exporters: part %s: %w", c.ID, err)
		}
	}
	if c.Services == nil {
		return f, nil
	}
	if saved := c.Services.Load(); saved != nil {
		if err := json.Unmarshal(saved, &f.made); err != nil {
			return nil, fmt.Errorf("exporters: part %s: %w", c.ID, err)
		}
	}
	return f, nil
}

// newPacker returns a compressor. Its level is the fastest for workbooks, and Go's default for other formats.
func newPacker(spec table.Spec) (*flate.Writer, error) {
	level := flate.DefaultCompression
	if spec.Format == table.XLSX {
		level = flate.BestSpeed
	}
	return flate.NewWriter(nil, level)
}

// commitDelay is the longest expected time between the end of a part and the commit of its outcome.
const commitDelay = 2 * time.Second

// note records that a part has ended. The commit of its outcome should follow within commitDelay.
func (p *Parts) note() { p.until.Store(time.Now().Add(commitDelay).UnixNano()) }

// ending reports whether a commit may now contain the outcome of a part.
func (p *Parts) ending() bool { return time.Now().UnixNano() < p.until.Load() }
