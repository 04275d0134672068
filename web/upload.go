package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// maxParts is how many parts a form may have.
const maxParts = 20

// defaultFor is the name of a file that has none.
const defaultFor = "upload"

// importForm is a form with a file to import.
var importForm = input.Upload("kind", "name", "options", "parent_id")

// newRequest returns an empty request for a task of the caller.
func (s *Server) newRequest(c *gin.Context) *ingest.Request {
	return &ingest.Request{Tenant: s.tenant(c), Actor: s.actor(c), Attempt: idempotentRequestOf(c)}
}

// readUpload streams a multipart request. On an error, the file is removed.
func (s *Server) readUpload(c *gin.Context) (*ingest.Request, error) {
	u := s.newRequest(c)
	if err := s.receive(c, u); err != nil {
		return nil, errors.Join(err, s.ingest.Drop(c.Request.Context(), u))
	}
	return u, nil
}

// receive reads a multipart request into u. After an error, the caller drops u.
func (s *Server) receive(c *gin.Context, u *ingest.Request) error {
	if err := s.ready(c.Request.Context()); err != nil {
		return fmt.Errorf("%w: %w", problem.ErrUnavailable, err)
	}
	boundary, err := s.boundary(c.Request)
	if err != nil {
		return err
	}
	b := input.Open(c.Writer, c.Request, s.opt.MaxUpload+input.MaxFields, s.opt.Patience)
	err = s.readForm(c, multipart.NewReader(b, boundary), b, u)
	b.End(err == nil)
	if b.Late {
		err = problem.ErrTooSlow
		c.Header("Connection", "close")
	}
	return err
}

// readForm reads all parts, to the end of the body.
func (s *Server) readForm(c *gin.Context, parts *multipart.Reader, rest io.Reader, u *ingest.Request) error {
	fields := map[string]string{}
	if err := s.readParts(c.Request.Context(), parts, u, fields); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, rest); err != nil {
		return s.bodyProblem(err)
	}
	if !u.HasFile() {
		return problem.New(http.StatusBadRequest, "FILE_MISSING",
			`The request has no file: send it as the part "file".`).At("/file")
	}
	if err := formTaken(c).CheckFields(fields); err != nil {
		return err
	}
	return s.ingest.Describe(u, fields)
}

// boundary returns the boundary of a form, and an error for a body that is too large.
func (s *Server) boundary(r *http.Request) (string, error) {
	_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || params["boundary"] == "" {
		return "", problem.New(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE",
			"The Content-Type of the form names no boundary.")
	}
	if r.ContentLength > s.opt.MaxUpload+input.MaxFields {
		return "", s.tooLarge()
	}
	return params["boundary"], nil
}

func (s *Server) tooLarge() *problem.Problem {
	p := *problem.ErrFileTooLarge
	p.Detail = fmt.Sprintf("The file is larger than the %d MB allowed. Split it into smaller files.",
		s.opt.MaxUpload>>20)
	return &p
}

// readParts reads the parts of a form: the file into u, all others into fields.
func (s *Server) readParts(
	ctx context.Context, parts *multipart.Reader, u *ingest.Request, fields map[string]string,
) error {
	for n := 0; ; n++ {
		part, err := parts.NextPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return s.bodyProblem(err)
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
			return s.bodyProblem(err)
		}
	}
}

// bodyProblem returns the problem of an error that the body caused. Errors of the storage stay as
// they are.
func (s *Server) bodyProblem(err error) error {
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
			"The request is cut off, or is not the multipart form that it says it is.")
	}
	return err
}

// readFile stores the part with the file. It checks the kind first if it is known, so that a wrong
// request is not read to its end.
func (s *Server) readFile(
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
		if _, err := s.ingest.Kind(name); err != nil {
			return err
		}
	}
	u.FileName = fileName(part.FileName())
	return s.ingest.Keep(ctx, u, part, s.opt.MaxUpload)
}
