package intake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"

	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// maxParts is the greatest number of parts in a form.
const maxParts = 20

// DefaultName is the name of an uploaded file without a name.
const DefaultName = "upload"

// ImportForm declares a form with a file to import.
var ImportForm = input.Upload("kind", "name", "options", "parent_id")

// ReadUpload reads a multipart request into `u`, and stores its file while it reads. If it returns an
// error, it has removed the file.
func (s *Reader) ReadUpload(in Body, u *ingest.Request) error {
	if err := s.receive(in, u); err != nil {
		return errors.Join(err, s.Ingest.Drop(in.R.Context(), u))
	}
	return nil
}

// Body holds a request and the declared form of its body. Form is nil if the route declares no body.
type Body struct {
	W    http.ResponseWriter
	R    *http.Request
	Form *input.Form
}

// receive reads a multipart request into `u`. After an error, the caller must remove the file with
// ingest.Service.Drop.
func (s *Reader) receive(in Body, u *ingest.Request) error {
	if err := s.Ready(in.R.Context()); err != nil {
		return fmt.Errorf("%w: %w", problem.ErrUnavailable, err)
	}
	boundary, err := s.boundary(in.R)
	if err != nil {
		return err
	}
	b := input.Open(in.W, in.R, s.MaxUpload+input.MaxFields, s.StallTimeout)
	err = s.readForm(in, multipart.NewReader(b, boundary), b, u)
	b.End(err == nil)
	if b.Late {
		err = problem.ErrTooSlow
		in.W.Header().Set("Connection", "close")
	}
	return err
}

// readForm reads all parts of a form to the end of the body, and stores the task's description in `u`.
func (s *Reader) readForm(in Body, parts *multipart.Reader, rest io.Reader, u *ingest.Request) error {
	fields := map[string]string{}
	if err := s.readParts(in.R.Context(), parts, u, fields); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, rest); err != nil {
		return s.BodyProblem(err)
	}
	if !u.HasFile() {
		return problem.New(http.StatusBadRequest, "FILE_MISSING",
			`The request has no file: send it as the part "file".`).At("/file")
	}
	if err := in.Form.CheckFields(fields); err != nil {
		return err
	}
	return s.Ingest.Describe(u, fields)
}

// boundary returns the multipart boundary of a form. It returns an error if the request names no
// boundary, or if its body is too large.
func (s *Reader) boundary(r *http.Request) (string, error) {
	_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || params["boundary"] == "" {
		return "", problem.New(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE",
			"The Content-Type of the form names no boundary.")
	}
	if r.ContentLength > s.MaxUpload+input.MaxFields {
		return "", s.tooLarge()
	}
	return params["boundary"], nil
}

func (s *Reader) tooLarge() *problem.Problem {
	p := *problem.ErrFileTooLarge
	p.Detail = fmt.Sprintf("The file is larger than the %d MB allowed. Split it into smaller files.",
		s.MaxUpload>>20)
	return &p
}

// readParts reads the parts of a form. It reads the file into `u`, and the other parts into `fields`.
func (s *Reader) readParts(
	ctx context.Context, parts *multipart.Reader, u *ingest.Request, fields map[string]string,
) error {
	for n := 0; ; n++ {
		part, err := parts.NextPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return s.BodyProblem(err)
		}
		if n == maxParts {
			return problem.New(http.StatusBadRequest, "TOO_MANY_PARTS",
				fmt.Sprintf("The form has more than %d parts.", maxParts))
		}
		if part.FormName() == input.FileField || part.FileName() != "" {
			err = s.readFile(ctx, part, u, fields)
		} else {
			err = readField(part, fields)
		}
		if err != nil {
			return s.BodyProblem(err)
		}
	}
}

// BodyProblem returns the problem of an error that occurred while a body was read. It returns
// problems, and errors of ingest and of the storage, unchanged.
func (s *Reader) BodyProblem(err error) error {
	var p *problem.Problem
	var bad *ingest.Error
	var size *http.MaxBytesError
	switch {
	case errors.As(err, &p), errors.As(err, &bad):
		return err
	case errors.As(err, &size), errors.Is(err, blobs.ErrTooLarge):
		return s.tooLarge()
	case !errors.Is(err, blobs.ErrStorage):
		return problem.New(http.StatusBadRequest, "MALFORMED_BODY",
			"The request is cut off, or is not multipart/form-data as its Content-Type declares.")
	}
	return err
}

// readFile stores the part that holds the file. If the kind precedes the file in the form, readFile checks
// the kind first, and rejects an invalid kind without reading the file.
func (s *Reader) readFile(
	ctx context.Context, part *multipart.Part, u *ingest.Request, fields map[string]string,
) error {
	switch {
	case part.FormName() != input.FileField:
		return problem.New(http.StatusBadRequest, "UNEXPECTED_FILE",
			fmt.Sprintf("The part %q holds a file; only the part \"file\" may.", part.FormName()))
	case u.HasFile():
		return problem.New(http.StatusBadRequest, "SEVERAL_FILES", "Send one file at a time.").At("/file")
	}
	if name, ok := fields["kind"]; ok {
		if _, err := s.Ingest.Kind(name); err != nil {
			return err
		}
	}
	u.FileName = fileName(part.FileName())
	return s.Ingest.Keep(ctx, u, part, s.MaxUpload)
}
