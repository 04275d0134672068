package web

import (
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/worker"
)

// correctionsForm declares a form with a corrected file.
var correctionsForm = input.Upload("options", "dry_run", "superseded")

// correctionsUpload is a request to correct rows by a file.
type correctionsUpload struct {
	ingest.Request
	dry    bool
	anyway bool // rows run even if a newer row of their key has finished
}

// readCorrections stores the file of a form and reads its options. After an error, it removes the
// file.
func (s *Server) readCorrections(c *gin.Context, kind worker.Kind) (*correctionsUpload, error) {
	if err := s.ready(c.Request.Context()); err != nil {
		return nil, fmt.Errorf("%w: %w", problem.ErrUnavailable, err)
	}
	boundary, err := s.boundary(c.Request)
	if err != nil {
		return nil, err
	}
	in := &correctionsUpload{}
	if in.dry, err = parseDryRun(c.Query("dry_run")); err != nil {
		return nil, err
	}
	b := input.Open(c.Writer, c.Request, s.opt.MaxUpload+input.MaxFields, s.opt.Patience)
	err = s.readCorrectionParts(c, multipart.NewReader(b, boundary), in, kind)
	if err == nil {
		if _, err = io.Copy(io.Discard, b); err != nil {
			err = s.bodyProblem(err)
		}
	}
	b.End(err == nil)
	if b.Late {
		err = problem.ErrTooSlow
		c.Header("Connection", "close")
	}
	if err != nil {
		return nil, errors.Join(err, s.ingest.Drop(c.Request.Context(), &in.Request))
	}
	return in, nil
}

func (s *Server) readCorrectionParts(
	c *gin.Context, parts *multipart.Reader, in *correctionsUpload, kind worker.Kind,
) (err error) {
	fields := map[string]string{}
	if err := s.readParts(c.Request.Context(), parts, &in.Request, fields); err != nil {
		return err
	}
	if in.File.ID == "" {
		return problem.New(http.StatusBadRequest, "FILE_MISSING",
			`The request has no file: send it as the part "file".`).At("/file")
	}
	if err := formTaken(c).CheckFields(fields); err != nil {
		return err
	}
	if text, given := fields["dry_run"]; given {
		if in.dry, err = parseDryRun(text); err != nil {
			return err
		}
	}
	if err := checkSuperseded(fields["superseded"]); err != nil {
		return err
	}
	in.anyway = fields["superseded"] == runSuperseded
	if text, given := fields["options"]; given {
		in.Options, err = ingest.ParseOptions(text, kind)
	}
	return err
}

func parseDryRun(text string) (bool, error) {
	switch text {
	case "true", "1":
		return true, nil
	case "false", "0", "":
		return false, nil
	}
	return false, problem.BadMember("dry_run", http.StatusUnprocessableEntity, "dry_run is true or false.")
}
