package intake

import (
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"

	"github.com/rollcall-dev/rollcall/internal/ingest"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// CorrectionsForm declares a form with a corrected file.
var CorrectionsForm = input.Upload("options", "dry_run", "superseded")

// Corrections is a request to correct rows with an edited file.
type Corrections struct {
	ingest.Request
	DryRun bool
	Anyway bool // rows run even if a newer row of their key has finished
}

// ReadCorrections stores the file in a form, and reads the options in the form and in the URL. If it
// returns an error, it has removed the file.
func (s *Reader) ReadCorrections(body Body, kind jobs.Kind) (*Corrections, error) {
	if err := s.Ready(body.R.Context()); err != nil {
		return nil, fmt.Errorf("%w: %w", problem.ErrUnavailable, err)
	}
	boundary, err := s.boundary(body.R)
	if err != nil {
		return nil, err
	}
	in := &Corrections{}
	if in.DryRun, err = parseDryRun(body.R.URL.Query().Get("dry_run")); err != nil {
		return nil, err
	}
	b := input.Open(body.W, body.R, s.MaxUpload+input.MaxFields, s.StallTimeout)
	err = s.readCorrectionParts(body, multipart.NewReader(b, boundary), in, kind)
	if err == nil {
		if _, err = io.Copy(io.Discard, b); err != nil {
			err = s.BodyProblem(err)
		}
	}
	b.End(err == nil)
	if b.Late {
		err = problem.ErrTooSlow
		body.W.Header().Set("Connection", "close")
	}
	if err != nil {
		return nil, errors.Join(err, s.Ingest.Drop(body.R.Context(), &in.Request))
	}
	return in, nil
}

func (s *Reader) readCorrectionParts(
	body Body, parts *multipart.Reader, in *Corrections, kind jobs.Kind,
) (err error) {
	fields := map[string]string{}
	if err := s.readParts(body.R.Context(), parts, &in.Request, fields); err != nil {
		return err
	}
	if in.File.ID == "" {
		return problem.New(http.StatusBadRequest, "FILE_MISSING",
			`The request has no file: send it as the part "file".`).At("/file")
	}
	if err := body.Form.CheckFields(fields); err != nil {
		return err
	}
	if text, given := fields["dry_run"]; given {
		if in.DryRun, err = parseDryRun(text); err != nil {
			return err
		}
	}
	if err := CheckSuperseded(fields["superseded"]); err != nil {
		return err
	}
	in.Anyway = fields["superseded"] == RunSuperseded
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
	return false, problem.BadMember("dry_run", http.StatusUnprocessableEntity, "dry_run must be true or false.")
}

// RunSuperseded is the value of the option "superseded" that makes superseded rows run, too.
const RunSuperseded = "run"

// CheckSuperseded returns an error for an invalid value of the option "superseded".
func CheckSuperseded(word string) error {
	if word != "" && word != RunSuperseded {
		return problem.BadField("superseded", `superseded must be "run" or absent.`)
	}
	return nil
}
