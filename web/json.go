package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/conns"
	"github.com/rollcall-dev/rollcall/internal/strictjson"
	"github.com/rollcall-dev/rollcall/web/problem"
)

var errLongJSON = problem.New(http.StatusRequestEntityTooLarge, "BODY_TOO_LARGE",
	fmt.Sprintf("The request may have at most %d kB.", conns.JSONBytes>>10))

// readText reads the body of a request in JSON.
func (s *Server) readText(c *gin.Context) (string, error) {
	if c.Request.ContentLength > conns.JSONBytes {
		return "", errLongJSON
	}
	b := openBody(c, conns.JSONBytes, s.opt.Patience)
	text, err := io.ReadAll(b)
	b.end(err == nil)
	var size *http.MaxBytesError
	switch {
	case b.late:
		c.Header("Connection", "close")
		return "", problem.ErrTooSlow
	case errors.As(err, &size):
		return "", errLongJSON
	case err != nil:
		return "", problem.New(http.StatusBadRequest, "MALFORMED_JSON", "The request is cut off.")
	}
	return string(text), nil
}

// decodeJSON decodes one JSON object without unknown members into v.
func decodeJSON(text string, f *bodyForm, v any) error {
	if err := strictjson.Check(text); err != nil {
		return problem.New(http.StatusBadRequest, "MALFORMED_JSON", "The request "+err.Error())
	}
	if name, found := f.stranger(text); found {
		return f.unknown(name)
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	err := dec.Decode(v)
	var kind *json.UnmarshalTypeError
	var own *problem.Problem // of a value that decodes itself
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own):
		return own
	case errors.As(err, &kind):
		return problem.BadField(kind.Field, fmt.Sprintf("The field %s cannot be a %s.", kind.Field, kind.Value))
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return problem.BadField(strings.Trim(name, `"`), fmt.Sprintf("There is no field %.100s.", name))
	}
	return problem.New(http.StatusBadRequest, "MALFORMED_JSON", "The request must be a JSON object.")
}

// stranger finds a member of an object that the body does not have. The decoder
// takes members for known whose case is another.
func (f *bodyForm) stranger(text string) (name string, found bool) {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) != nil {
		return "", false // the decoder tells why
	}
	for name := range object {
		if !f.takes(name) {
			return name, true
		}
	}
	return "", false
}
