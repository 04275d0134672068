package ingest

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// Kind returns the kind with this name. It returns an *Error if no such kind has rows to import.
func (s *Service) Kind(name string) (jobs.Kind, error) { return s.kindFor(name, false) }

// kindFor returns the kind with this name. It returns an error if the name is empty or unknown. It also
// returns an error if the kind makes no files (`export` is true), or has no rows to import (`export` is
// false).
func (s *Service) kindFor(name string, export bool) (jobs.Kind, error) {
	kind, ok := s.Kinds.Kind(name)
	bad := func(code, format string, args ...any) (jobs.Kind, error) {
		return kind, &Error{code, fmt.Sprintf(format, args...), "/kind"}
	}
	switch {
	case name == "":
		return bad("KIND_MISSING", `The field "kind" is missing: it names the kind of the rows, such as products.import.`)
	case !ok:
		return bad("UNKNOWN_KIND", "There is no kind %.100q. Known: %s.", name, strings.Join(s.Kinds.Names(), ", "))
	case export && kind.Export == nil:
		return bad("KIND_WITHOUT_EXPORT", "The kind %s makes no files.", name)
	case !export && kind.Schema == nil:
		return bad("KIND_WITHOUT_ROWS", "The kind %s has no columns: it cannot be imported from a file.", name)
	}
	return kind, nil
}

// Describe sets the kind, name and options of a request from the fields kind, name, options and parent_id.
func (s *Service) Describe(r *Request, fields map[string]string) (err error) {
	if r.Kind, err = s.kindFor(fields["kind"], r.Export); err != nil {
		return err
	}
	r.Name = strings.TrimSpace(fields["name"])
	if r.Name == "" {
		r.Name = r.FileName
	}
	if !textutil.IsLine(r.Name) {
		return &Error{"INVALID_NAME", "The name must be one line of at most 255 characters.", "/name"}
	}
	if r.Options, err = ParseOptions(fields["options"], r.Kind); err != nil {
		return err
	}
	if url := r.Options.CallbackURL; url != "" {
		if err := s.CheckAddress(url); err != nil {
			return badOption("callback_url", "callback_url cannot be used: "+err.Error()+".")
		}
	}
	r.Options.Name, r.Options.Limits = r.FileName, s.Limits
	r.Options.ParentID = cmp.Or(fields["parent_id"], r.Options.ParentID)
	return nil
}
