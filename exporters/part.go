package exporters

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"math"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/table"
	"github.com/rollcall-dev/rollcall/tasks"
)

// frameBytes is the size of a frame, in bytes of its rows. Save stores a file when the rows have saveBytes
// bytes. After each saveMany files, Save needs saveBytes more bytes for a file. No size depends on time: in
// every run a frame must end at the same row, because the ends of frames are visible in a compressed file.
const (
	frameBytes = 256 << 10
	saveBytes  = 1 << 20
	saveMany   = 100
)

// outcome holds the rows and files of a part: the result of the part's job. Save also stores it as the
// checkpoint of the job.
type outcome struct {
	Rows   int64           `json:"rows"`
	Files  []string        `json:"files"`          // in the store, in their order
	Sums   []string        `json:"sums,omitempty"` // CRC-32C of each file; empty: unknown
	Cursor json.RawMessage `json:"cursor,omitempty"`
	Result json.RawMessage `json:"result,omitempty"` // result of the handler
}

// add adds a stored file with its checksum. Files of an early version of Rollcall have no checksum: add
// enters "" for them.
func (o *outcome) add(id string, sum uint32) {
	for len(o.Sums) < len(o.Files) {
		o.Sums = append(o.Sums, "")
	}
	o.Files, o.Sums = append(o.Files, id), append(o.Sums, sumText(sum))
}

// sum returns the checksum of the file with index i, or "" if it is unknown.
func (o *outcome) sum(i int) string {
	if i >= len(o.Sums) {
		return ""
	}
	return o.Sums[i]
}

// partFile is the file of a part that is being written.
type partFile struct {
	parts  *Parts
	call   *jobs.Call
	ctx    context.Context // context of the run; Add has no context
	rows   *table.Rows
	packer *flate.Writer // nil if rows are not compressed
	made   outcome       // stored and recorded files
	block  []byte        // rows of the frame
	held   uint32        // number of rows of the frame
	fresh  int64         // rows that are not recorded yet, with those of the frame
	raw    int64         // bytes of these rows, without those of the frame
	packed bytes.Buffer
	pipe   *io.PipeWriter // pipe to the store; nil while no file is open
	sum    uint32         // checksum of the bytes written to the pipe
	stored chan put
	err    error // first error of any call; later calls return it again
	closed bool
}

type put struct {
	info blobs.Info
	err  error
}

// Cursor returns the cursor that Save stored last, in this or an earlier run, or nil.
func (p *partFile) Cursor() json.RawMessage { return p.made.Cursor }

// Rows returns the number of rows of the part so far, including the saved rows of earlier runs.
func (p *partFile) Rows() int64 { return p.made.Rows + p.fresh }

// Add adds a row to the part. After an error, it returns the same error again.
func (p *partFile) Add(cells []table.Cell) error {
	if p.err != nil {
		return p.err
	}
	p.block, p.err = p.rows.Append(p.block, cells)
	p.held++
	if p.fresh++; p.err == nil && len(p.block) >= frameBytes {
		p.err = p.flush()
	}
	return p.err
}

// flush writes the collected rows as a frame.
func (p *partFile) flush() error {
	if p.held == 0 {
		return nil
	}
	if err := context.Cause(p.ctx); err != nil {
		return err
	}
	if len(p.block) > math.MaxUint32 {
		return errors.New("exporters: a row has over 4 GB")
	}
	f := frame{p.held, uint32(len(p.block)), uint32(len(p.block)), crc32.ChecksumIEEE(p.block)}
	body := p.block
	if p.packer != nil {
		if err := pack(p.packer, &p.packed, p.block); err != nil {
			return err
		}
		body = p.packed.Bytes()
		f.size = uint32(len(body))
	}
	if p.pipe == nil {
		p.store()
	}
	for _, b := range [][]byte{f.bytes(), body} {
		if _, err := p.pipe.Write(b); err != nil {
			return err
		}
		p.sum = crc32.Update(p.sum, castagnoli, b)
	}
	p.raw += int64(len(p.block))
	p.block, p.held = p.block[:0], 0
	return nil
}

// pack compresses rows so that the result can follow any other result of pack in one deflate stream.
func pack(w *flate.Writer, out *bytes.Buffer, rows []byte) error {
	out.Reset()
	w.Reset(out)
	_, err := w.Write(rows)
	return errors.Join(err, w.Flush())
}

// store begins to store a new file of the part. It passes the bytes written to p.pipe to the blob store.
func (p *partFile) store() {
	r, w := io.Pipe()
	p.pipe, p.stored, p.sum = w, make(chan put, 1), 0
	go func() {
		info, err := p.parts.files.Put(p.ctx, r, math.MaxInt64-1)
		_ = r.CloseWithError(err) // never fails
		p.stored <- put{info, err}
	}()
}

// keep ends the current file, and records it in the ledger and in p.made. It is a no-op if there are no new
// rows.
func (p *partFile) keep(ctx context.Context) error {
	if err := p.flush(); err != nil || p.pipe == nil {
		return err
	}
	_ = p.pipe.Close() // never fails
	done := <-p.stored
	p.pipe = nil
	if done.err != nil {
		return done.err
	}
	failpoint.Hit("part")
	id := p.call.Event
	run := tasks.PartRun{Num: id.Num(), Seq: id.Seq(), Token: p.call.Token, Run: p.call.Seq}
	err := p.parts.tasks.AddPart(ctx, run, done.info.ID, p.fresh, p.made.Files)
	if errors.Is(err, tasks.ErrClaimLost) {
		err = errors.Join(events.ErrStale, p.parts.files.Delete(ctx, done.info.ID))
	}
	if err != nil {
		return err
	}
	p.made.Rows += p.fresh
	p.made.add(done.info.ID, p.sum)
	p.fresh, p.raw = 0, 0
	return nil
}

// Save stores the collected rows together with a cursor once the rows have enough bytes. The required size
// is saveBytes, plus saveBytes for each saveMany files of the part. For fewer bytes, Save stores nothing.
func (p *partFile) Save(ctx context.Context, cursor json.RawMessage) error {
	due := p.parts.saveBytes * int64(1+len(p.made.Files)/saveMany)
	if p.err != nil || p.raw+int64(len(p.block)) < due {
		return p.err
	}
	if p.err = p.keep(ctx); p.err != nil {
		return p.err
	}
	p.made.Cursor = cursor
	data, err := json.Marshal(p.made)
	switch {
	case err != nil:
	case len(data) > jobs.MaxCheckpoint:
		err = jobs.ErrCheckpointSize
	case p.call.Services != nil:
		err = p.call.Services.Save(ctx, data)
	}
	p.err = err
	return err
}

// Close stores the remaining rows, and returns the result of the part's job.
func (p *partFile) Close(ctx context.Context, kept json.RawMessage) (any, error) {
	if p.err == nil {
		p.err = p.keep(ctx)
	}
	if p.err != nil {
		return nil, p.err
	}
	p.closed = true
	p.parts.note()
	if p.made.Files == nil {
		p.made.Files = []string{}
	}
	return outcome{Rows: p.made.Rows, Files: p.made.Files, Sums: p.made.Sums, Result: kept}, nil
}

// errDropped cancels the storing of a file that is no longer needed.
var errDropped = errors.New("exporters: the file of the part was discarded")

// Drop discards the current file, unless the part is closed.
func (p *partFile) Drop() {
	if p.pipe != nil && !p.closed {
		_ = p.pipe.CloseWithError(errDropped) // never fails
		<-p.stored
		p.pipe = nil
	}
}
