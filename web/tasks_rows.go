package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/conns"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// Up to so many rows in the JSON of a request, with so many bytes, are added with their task in
// one transaction. More are stored as a file, which a worker reads in chunks.
const (
	fewRows  = 250 // of these, a worker would make its first chunk
	fewBytes = conns.JSONBytes
)

// keepFew keeps the rows in the upload if they are few and the request is not a dry run. It
// reports whether it did.
func (u *upload) keepFew(list *bytes.Buffer) bool {
	text := list.Bytes()
	if u.dry || len(text) > fewBytes || bytes.Count(text, []byte{'\n'}) > fewRows {
		return false
	}
	sum := sha256.Sum256(text)
	u.rows, u.file = text, blobs.Info{Size: int64(len(text)), SHA256: hex.EncodeToString(sum[:])}
	return true
}

// topic returns the topic that wakes the processes that continue with the task of an upload.
func (u *upload) topic() string {
	if u.rows != nil {
		return worker.FeedTopic
	}
	return importers.Topic
}

// rowsTimes is how often a transaction that adds rows begins: there may be no partition for them
// at first.
const rowsTimes = 2

// addRows adds a task with the rows of its request.
func (s *Server) addRows(ctx context.Context, u *upload, t *tasks.Task, terms tasks.Terms) (old *tasks.Task, err error) {
	chunk, err := importers.Few(ctx, u.rows, u.kind, t, s.opt.Limits)
	if err != nil {
		return nil, err
	}
	terms.Also = func(ctx context.Context, tx ledger.Tx) error {
		chunk.Num = t.Num
		if err := s.opt.Events.AppendIn(ctx, tx, chunk); err != nil {
			return err
		}
		return s.opt.Tasks.WithinRows(ctx, tx, t.Tenant)
	}
	if err := s.opt.Events.RoomAhead(ctx); err != nil {
		return nil, err
	}
	for range rowsTimes {
		if old, err = s.addTask(ctx, u, t, terms); !ledger.Homeless(err) {
			break
		}
		if err = s.opt.Events.RoomNext(ctx); err != nil {
			return nil, err
		}
	}
	if err == nil && old == nil {
		s.refresh(ctx, t)
	}
	return old, err
}

// refresh sets what has become of a task since it was added, if the ledger tells.
func (s *Server) refresh(ctx context.Context, t *tasks.Task) {
	if now, err := s.opt.Tasks.Get(ctx, t.Tenant, t.ID); err == nil {
		*t = *now
	}
}
