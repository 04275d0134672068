package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/worker"
)

// Limits of the parts of an upload, beside the file.
const (
	maxField   = 64 << 10 // bytes of one field
	maxFields  = 1 << 20  // bytes of all of them and of the part headers
	maxName    = 255      // characters of a name
	maxParts   = 20       // parts of a request
	fileField  = "file"
	defaultFor = "upload"
)

// upload is what came with a request to import a file.
type upload struct {
	kind    worker.Kind
	name    string // of the task
	file    blobs.Info
	called  string // the file's name, as the person knows it
	options importOptions
}

// importOptions is the field options.
type importOptions struct {
	importers.Options
	Labels   map[string]string `json:"labels"`
	Priority int               `json:"priority"`
}

// readUpload streams a multipart request. On an error, the file is removed.
func (s *Server) readUpload(c *gin.Context) (*upload, error) {
	parts, err := s.parts(c)
	if err != nil {
		return nil, err
	}
	u := &upload{}
	fields := map[string]string{}
	err = s.readParts(parts, u, fields)
	if err == nil && u.file.ID == "" {
		err = refuse(http.StatusBadRequest, "FILE_MISSING",
			`The request has no file: send it as the part "file".`).field("/file")
	}
	if err == nil {
		err = s.readFields(u, fields)
	}
	if err != nil {
		return nil, errors.Join(err, s.drop(u))
	}
	return u, nil
}

func (s *Server) drop(u *upload) error {
	if u.file.ID == "" {
		return nil
	}
	return s.opt.Files.Delete(u.file.ID)
}

// parts opens the body, after what the headers tell about it.
func (s *Server) parts(c *gin.Context) (*multipart.Reader, error) {
	media, params, err := mime.ParseMediaType(c.GetHeader("Content-Type"))
	if err != nil || media != "multipart/form-data" || params["boundary"] == "" {
		return nil, refuse(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE",
			"Send the file as multipart/form-data, with the parts file and kind.")
	}
	if c.Request.ContentLength > s.opt.MaxUpload+maxFields {
		return nil, s.tooLarge()
	}
	body := http.MaxBytesReader(c.Writer, c.Request.Body, s.opt.MaxUpload+maxFields)
	return multipart.NewReader(body, params["boundary"]), nil
}

func (s *Server) tooLarge() *problem {
	p := *errTooLarge
	p.Detail = fmt.Sprintf("The file is larger than the %d MB allowed. Split it into smaller files.",
		s.opt.MaxUpload>>20)
	return &p
}

func (s *Server) readParts(parts *multipart.Reader, u *upload, fields map[string]string) error {
	for n := 0; ; n++ {
		part, err := parts.NextPart()
		if err == io.EOF {
			return nil
		}
		if err != nil || n == maxParts {
			return s.broken(err)
		}
		if part.FormName() == fileField || part.FileName() != "" {
			err = s.readFile(part, u, fields)
		} else {
			err = readField(part, fields)
		}
		if err != nil {
			return s.broken(err)
		}
	}
}

// broken tells a fault of the body from one of ours.
func (s *Server) broken(err error) error {
	var p *problem
	var size *http.MaxBytesError
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &size), errors.Is(err, blobs.ErrTooLarge):
		return s.tooLarge()
	case err == nil, !errors.Is(err, blobs.ErrStorage):
		return refuse(http.StatusBadRequest, "MALFORMED_BODY",
			"The request is cut off, or is not the multipart form that it says it is.")
	}
	return err
}

// readFile stores the file part. What is known of the kind by now is checked
// first, so that a wrong request is not read to its end.
func (s *Server) readFile(part *multipart.Part, u *upload, fields map[string]string) error {
	switch {
	case part.FormName() != fileField:
		return refuse(http.StatusBadRequest, "UNEXPECTED_FILE",
			fmt.Sprintf("The part %q holds a file; only the part \"file\" may.", part.FormName()))
	case u.file.ID != "":
		return refuse(http.StatusBadRequest, "SEVERAL_FILES", "Send one file at a time.").field("/file")
	}
	if name, ok := fields["kind"]; ok {
		if _, err := s.kindOf(name); err != nil {
			return err
		}
	}
	info, err := s.opt.Files.Put(part, s.opt.MaxUpload)
	if err != nil {
		return err
	}
	u.file, u.called = info, fileName(part.FileName())
	return nil
}

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
	return string([]rune(s)[:min(utf8.RuneCountInString(s), maxName)])
}

func readField(part *multipart.Part, fields map[string]string) error {
	b, err := io.ReadAll(io.LimitReader(part, maxField+1))
	if err != nil {
		return err
	}
	name := part.FormName()
	if _, twice := fields[name]; twice || len(b) > maxField {
		return refuse(http.StatusBadRequest, "INVALID_FIELD",
			fmt.Sprintf("The field %q is too long, or stands twice.", name)).field("/" + name)
	}
	fields[name] = string(b)
	return nil
}

// readFields reads what is not the file.
func (s *Server) readFields(u *upload, fields map[string]string) (err error) {
	if u.kind, err = s.kindOf(fields["kind"]); err != nil {
		return err
	}
	u.name = strings.TrimSpace(fields["name"])
	if u.name == "" {
		u.name = u.called
	}
	if utf8.RuneCountInString(u.name) > maxName || !utf8.ValidString(u.name) ||
		strings.ContainsRune(u.name, 0) {
		return refuse(http.StatusUnprocessableEntity, "INVALID_NAME",
			"The name must be text of at most 255 characters.").field("/name")
	}
	if text := strings.TrimSpace(fields["options"]); text != "" {
		dec := json.NewDecoder(strings.NewReader(text))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&u.options); err != nil || dec.More() {
			return refuse(http.StatusUnprocessableEntity, "INVALID_OPTIONS",
				"options must be a JSON object with the options of an import.").field("/options")
		}
	}
	u.options.Name, u.options.Limits = u.called, s.opt.Limits
	return nil
}

func (s *Server) kindOf(name string) (worker.Kind, error) {
	kind, ok := s.opt.Kinds.Kind(name)
	switch {
	case name == "":
		return kind, refuse(http.StatusUnprocessableEntity, "KIND_MISSING",
			`The field "kind" is missing: it says what the rows are, such as products.import.`).field("/kind")
	case !ok:
		return kind, refuse(http.StatusUnprocessableEntity, "UNKNOWN_KIND",
			fmt.Sprintf("There is no kind %.100q. Known: %s.", name,
				strings.Join(s.opt.Kinds.Names(), ", "))).field("/kind")
	case kind.Schema == nil:
		return kind, refuse(http.StatusUnprocessableEntity, "KIND_WITHOUT_ROWS",
			fmt.Sprintf("The kind %s has no columns: it cannot be imported from a file.", name)).field("/kind")
	}
	return kind, nil
}
