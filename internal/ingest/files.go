package ingest

import (
	"context"
	"io"
)

// Keep stores the content of a request, which may have up to `maxBytes`. For a dry run, it stores
// the content in a temporary file.
func (s *Service) Keep(ctx context.Context, r *Request, content io.Reader, maxBytes int64) (err error) {
	if r.DryRun {
		r.Scratch, err = s.Files.Scratch(content, maxBytes)
		return err
	}
	r.File, err = s.Files.Put(ctx, content, maxBytes)
	return err
}

// Drop removes the file of a request that has created no task, even if `ctx` has ended. It keeps the file
// of an upload in parts, and a file that may belong to a task.
func (s *Service) Drop(ctx context.Context, r *Request) error {
	if r.Scratch != nil {
		return r.Scratch.Close()
	}
	if r.File.ID == "" || r.doubt || r.Upload != "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitTimeout)
	defer cancel()
	return s.Files.Delete(ctx, r.File.ID)
}
