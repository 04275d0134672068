package intake

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/internal/uploads"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// Bytes declares the body of a request that sends a part of an upload.
var Bytes = input.Bytes("application/offset+octet-stream")

// StartUpload adds an upload. The headers of the request have the size and the name of the file.
func (s *Reader) StartUpload(r *http.Request, u *uploads.Upload) (err error) {
	if u.Size, err = headerBytes(r, "Upload-Length"); err != nil {
		return err
	}
	switch {
	case u.Size == 0:
		return problem.New(http.StatusUnprocessableEntity, "EMPTY_FILE", "The file is empty. Choose a file with headings and rows.")
	case u.Size > s.MaxUpload:
		return s.tooLarge()
	}
	if u.Name, err = nameIn(r.Header.Get("Upload-Metadata")); err != nil {
		return err
	}
	if err := s.CheckQuota(r.Context(), tasks.Usage{Bytes: u.Size}); err != nil {
		return err
	}
	return s.Uploads.Create(r.Context(), u)
}

// nameIn returns the file name in the header Upload-Metadata; DefaultName if it has none. The header
// holds pairs of a name and a base64 value.
func nameIn(header string) (string, error) {
	for pair := range strings.SplitSeq(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(pair), " ")
		if name != "filename" {
			continue
		}
		text, err := base64.StdEncoding.DecodeString(strings.TrimSpace(value))
		if err != nil {
			return "", badHeader("Upload-Metadata", "filename must be text in base64.")
		}
		return fileName(string(text)), nil
	}
	return DefaultName, nil
}

// headerBytes returns the value of a header that is a number of bytes. For any other value, or without
// the header, it returns a problem.
func headerBytes(r *http.Request, name string) (int64, error) {
	n, err := strconv.ParseInt(r.Header.Get(name), 10, 64)
	if err != nil || n < 0 {
		return 0, badHeader(name, "It must be a number of bytes.")
	}
	return n, nil
}

func badHeader(name, why string) *problem.Problem {
	return problem.New(http.StatusBadRequest, "INVALID_FIELD", "The header "+name+" is missing or wrong. "+why)
}

// Continue appends the body of a request to an upload. If the connection breaks, Continue stores the
// bytes received so far, unless they are fewer than uploads.MinPart.
func (s *Reader) Continue(in Body, u *uploads.Upload) error {
	at, err := headerBytes(in.R, "Upload-Offset")
	if err != nil {
		return err
	}
	b := input.Open(in.W, in.R, max(u.Size-u.Received, 0)+1, s.StallTimeout)
	end, err := s.Uploads.Append(in.R.Context(), u, at, b)
	b.End(err == nil)
	if b.Late {
		in.W.Header().Set("Connection", "close")
		return problem.ErrTooSlow
	}
	if err == nil && end == at {
		return problem.New(http.StatusBadRequest, "MALFORMED_BODY", "The request has no bytes.")
	}
	if err != nil && !errors.Is(err, uploads.ErrOffset) && !errors.Is(err, uploads.ErrPartTooSmall) {
		return s.BodyProblem(err)
	}
	return err
}

// takeUpload sets the file of a request to the upload that the request names, if any.
func (s *Reader) takeUpload(ctx context.Context, req input.Object, u *ingest.Request) error {
	id := ""
	if err := req.Into("upload_id", "the id of an upload", &id); err != nil || id == "" {
		return err
	}
	up, err := s.Uploads.Get(ctx, u.Tenant, id)
	if err != nil {
		return AtUpload(err)
	}
	return s.TakeFile(ctx, up, u)
}

// AtUpload converts uploads.ErrNotFound into a problem of the member `upload_id`. It returns other
// errors unchanged.
func AtUpload(err error) error {
	if errors.Is(err, uploads.ErrNotFound) {
		return problem.BadMember("upload_id", http.StatusUnprocessableEntity, problem.ErrUploadGone.Detail)
	}
	return err
}

// TakeFile makes the content of an upload the file of a request. It returns an error if bytes of the
// upload are missing.
func (s *Reader) TakeFile(ctx context.Context, up *uploads.Upload, u *ingest.Request) error {
	if err := s.Uploads.File(ctx, up); err != nil {
		return err
	}
	u.File, u.FileName, u.TaskID, u.Upload = up.File, up.Name, up.TaskID, up.ID
	return nil
}
