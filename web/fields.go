package web

import (
	"cmp"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"path"
	"strings"

	"github.com/rollcall-dev/rollcall/web/problem"
	"github.com/rollcall-dev/rollcall/worker"
)

// fileName is a person's name for a file, without a path.
func fileName(s string) string {
	s = path.Base(strings.ReplaceAll(strings.ToValidUTF8(s, "_"), `\`, "/"))
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
	if s == "" || s == "." || s == "/" {
		return defaultFor
	}
	return shorten(s)
}

// shorten keeps the ending of a long name.
func shorten(s string) string {
	r, ext := []rune(s), []rune(path.Ext(s))
	if len(r) <= maxName {
		return s
	}
	if len(ext) > 10 {
		ext = nil
	}
	return string(r[:maxName-len(ext)]) + string(ext)
}

func readField(part *multipart.Part, fields map[string]string) error {
	name := part.FormName()
	if name == "" {
		return problem.New(http.StatusBadRequest, "INVALID_FIELD", "A part of the form has no name.")
	}
	b, err := io.ReadAll(io.LimitReader(part, maxField+1))
	if err != nil {
		return err
	}
	if _, twice := fields[name]; twice || len(b) > maxField {
		return problem.New(http.StatusBadRequest, "INVALID_FIELD",
			fmt.Sprintf("The field %q is too long, or stands twice.", name)).At("/" + name)
	}
	fields[name] = string(b)
	return nil
}

// readFields reads what is not the file.
func (s *Server) readFields(u *upload, fields map[string]string) (err error) {
	if u.kind, err = s.kindFor(fields["kind"], u.export); err != nil {
		return err
	}
	u.name = strings.TrimSpace(fields["name"])
	if u.name == "" {
		u.name = u.called
	}
	if !line(u.name) {
		return problem.New(http.StatusUnprocessableEntity, "INVALID_NAME",
			"The name must be one line of at most 255 characters.").At("/name")
	}
	if u.options, err = parseOptions(fields["options"], u.kind); err != nil {
		return err
	}
	if url := u.options.CallbackURL; url != "" {
		if err := s.checkAddress(url); err != nil {
			return problem.BadOption("callback_url", "callback_url cannot be used: "+err.Error()+".")
		}
	}
	u.options.Name, u.options.Limits = u.called, s.opt.Limits
	u.options.ParentID = cmp.Or(fields["parent_id"], u.options.ParentID)
	return nil
}

// kindOf is a kind whose rows can be imported.
func (s *Server) kindOf(name string) (worker.Kind, error) { return s.kindFor(name, false) }

// kindFor is a kind for an export or for rows.
func (s *Server) kindFor(name string, export bool) (worker.Kind, error) {
	kind, ok := s.opt.Kinds.Kind(name)
	switch {
	case name == "":
		return kind, problem.New(http.StatusUnprocessableEntity, "KIND_MISSING",
			`The field "kind" is missing: it says what the rows are, such as products.import.`).
			At("/kind")
	case !ok:
		return kind, problem.New(http.StatusUnprocessableEntity, "UNKNOWN_KIND",
			fmt.Sprintf("There is no kind %.100q. Known: %s.", name,
				strings.Join(s.opt.Kinds.Names(), ", "))).At("/kind")
	case export && kind.Export == nil:
		return kind, problem.New(http.StatusUnprocessableEntity, "KIND_WITHOUT_EXPORT",
			fmt.Sprintf("The kind %s makes no files.", name)).At("/kind")
	case !export && kind.Schema == nil:
		return kind, problem.New(http.StatusUnprocessableEntity, "KIND_WITHOUT_ROWS",
			fmt.Sprintf("The kind %s has no columns: it cannot be imported from a file.", name)).
			At("/kind")
	}
	return kind, nil
}
