package importers

import (
	"context"
	"time"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/tasks"
)

// chunkBytes is the total size of params in bytes at which a chunk ends. The row that reaches this size is
// the last row of the chunk.
const chunkBytes = 4 << 20

// linger is how long a chunk stays open after the start of the last commit. The next row after this time
// ends the chunk, even if the chunk is not full.
const linger = 500 * time.Millisecond

// chunker collects rows and commits them in chunks. While one chunk is being committed, it collects the
// rows of the next.
type chunker struct {
	splitter  *Splitter
	unordered bool // the kind is unordered
	num       int64
	tenant    string
	claim     int64
	known     int64 // number of rows of the task in the ledger
	size      int   // number of rows of the next chunk
	bytes     int   // size of the params of rows
	rows      []events.Draft
	last      time.Time  // start of the last commit
	inFlight  chan error // receives the result of the running commit; nil if no commit runs
	warnings  []string   // warnings about the file, once it is read; nil keeps the stored warnings
}

// add adds a row to the next chunk. If the chunk is then full, or was open for the time linger, add
// starts its commit. It returns the error of the previous commit, if any.
func (c *chunker) add(ctx context.Context, d events.Draft) error {
	c.rows = append(c.rows, d)
	c.bytes += len(d.Params)
	if len(c.rows) < c.size && c.bytes < chunkBytes && time.Since(c.last) < linger {
		return nil
	}
	c.size = min(4*c.size, c.splitter.opt.Chunk)
	return c.send(ctx, events.Chunk{})
}

// finish commits the remaining rows as the final chunk of the task. The argument `p` is the problem of
// the file, or nil.
func (c *chunker) finish(ctx context.Context, p *tasks.Problem) error {
	last := events.Chunk{Final: true, Warnings: c.warnings}
	if p != nil {
		last.Problem = p
	}
	if err := c.send(ctx, last); err != nil {
		return err
	}
	return c.wait()
}

// send waits until the previous chunk is committed, then starts to commit the collected rows.
func (c *chunker) send(ctx context.Context, chunk events.Chunk) error {
	if err := c.wait(); err != nil {
		return err
	}
	chunk.Unordered = c.unordered
	chunk.Num, chunk.Claim, chunk.TTL = c.num, c.claim, c.splitter.opt.Claim
	chunk.After = c.known
	chunk.Rows, c.rows, c.bytes = c.rows, make([]events.Draft, 0, len(c.rows)), 0
	c.last = time.Now()
	c.splitter.picker.Charge(c.tenant, int64(len(chunk.Rows)))
	answer := make(chan error, 1)
	c.inFlight = answer
	go func() {
		total, err := c.splitter.events.Append(ctx, chunk)
		if err == nil {
			c.known = total // send reads known only after it has received the result
			failpoint.Hit("chunk")
			c.splitter.opt.Added()
		}
		answer <- err
	}()
	return nil
}

// wait waits for the running commit, if there is one, and returns its error.
func (c *chunker) wait() error {
	if c.inFlight == nil {
		return nil
	}
	err := <-c.inFlight
	c.inFlight = nil
	return err
}
