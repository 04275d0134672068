package intake

import (
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"path"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// fileName returns the name of an uploaded file without its path and without ASCII control characters,
// truncated by shorten. If nothing remains, it returns DefaultName.
func fileName(s string) string {
	s = path.Base(strings.ReplaceAll(strings.ToValidUTF8(s, "_"), `\`, "/"))
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
	if s == "" || s == "." || s == "/" {
		return DefaultName
	}
	return shorten(s)
}

// shorten truncates a file name to textutil.MaxLine characters. It keeps an extension of at most 10
// characters.
func shorten(s string) string {
	r, ext := []rune(s), []rune(path.Ext(s))
	if len(r) <= textutil.MaxLine {
		return s
	}
	if len(ext) > 10 {
		ext = nil
	}
	return string(r[:textutil.MaxLine-len(ext)]) + string(ext)
}

// readField reads a part of a form that is not a file.
func readField(part *multipart.Part, fields map[string]string) error {
	name := part.FormName()
	if name == "" {
		return problem.New(http.StatusBadRequest, "INVALID_FIELD", "A part of the form has no name.")
	}
	b, err := io.ReadAll(io.LimitReader(part, input.MaxField+1))
	if err != nil {
		return err
	}
	if _, twice := fields[name]; twice || len(b) > input.MaxField {
		return problem.New(http.StatusBadRequest, "INVALID_FIELD",
			fmt.Sprintf("The field %q is too long, or occurs twice.", name)).At("/" + name)
	}
	fields[name] = string(b)
	return nil
}
