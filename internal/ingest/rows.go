package ingest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/conns"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
)

// fewRows and fewBytes bound the rows that a request with JSON adds with its task in one transaction. More
// rows are stored as a file, which a worker reads in chunks.
const (
	fewRows  = 250 // the first chunk of a worker
	fewBytes = conns.JSONBytes
)

// KeepFew keeps the rows in the request if there are at most fewRows rows and fewBytes bytes, and the
// request is not a dry run. It reports whether it kept the rows.
func (r *Request) KeepFew(list *bytes.Buffer) bool {
	text := list.Bytes()
	if r.DryRun || len(text) > fewBytes || bytes.Count(text, []byte{'\n'}) > fewRows {
		return false
	}
	sum := sha256.Sum256(text)
	r.rows, r.File = text, blobs.Info{Size: int64(len(text)), SHA256: hex.EncodeToString(sum[:])}
	return true
}

// topic returns the topic for Service.Wake after the commit of a task. Its listeners read the file of the
// task, or push its rows.
func (r *Request) topic() string {
	if r.rows != nil {
		return jobs.FeedTopic
	}
	return importers.Topic
}

// addRows adds a task with the rows of its request.
func (s *Service) addRows(ctx context.Context, r *Request, t *tasks.Task, terms tasks.Terms) (old *tasks.Task, err error) {
	chunk, err := importers.ReadRows(ctx, r.rows, r.Kind, t, s.Limits)
	if err != nil {
		return nil, err
	}
	terms.Also = func(ctx context.Context, tx ledger.Tx) error {
		chunk.Num = t.Num
		if err := s.Events.AppendIn(ctx, tx, chunk); err != nil {
			return err
		}
		return s.Tasks.WithinRows(ctx, tx, t.Tenant)
	}
	if err := s.Events.Partitions().EnsureAhead(ctx); err != nil {
		return nil, err
	}
	err = s.Events.Partitions().Retry(ctx, func() (err error) {
		old, err = s.addTask(ctx, r, t, terms)
		return err
	})
	if err == nil && old == nil {
		s.refresh(ctx, t)
	}
	return old, err
}

// refresh reads a task again. If the read fails, the task stays unchanged.
func (s *Service) refresh(ctx context.Context, t *tasks.Task) {
	if now, err := s.Tasks.Get(ctx, t.Tenant, t.ID); err == nil {
		*t = *now
	}
}
