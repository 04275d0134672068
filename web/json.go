package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

// maxJSON bounds the body of a request in JSON, in bytes.
const maxJSON = 64 << 10

var errLongJSON = refuse(http.StatusRequestEntityTooLarge, "BODY_TOO_LARGE",
	fmt.Sprintf("The request may have at most %d kB.", maxJSON>>10))

// readJSON reads the body of a request, which must be one JSON object without
// unknown members, into v.
func (s *Server) readJSON(c *gin.Context, v any) error {
	text, err := s.readText(c)
	if err != nil {
		return err
	}
	return decodeJSON(text, v)
}

// readText reads the body of a request that says it is JSON.
func (s *Server) readText(c *gin.Context) (string, error) {
	media, _, err := mime.ParseMediaType(c.GetHeader("Content-Type"))
	if err != nil || media != "application/json" {
		return "", refuse(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE",
			"Send the request as application/json.")
	}
	if err := plainBody(c.Request); err != nil {
		return "", err
	}
	if c.Request.ContentLength > maxJSON {
		return "", errLongJSON
	}
	b := openBody(c, maxJSON, s.opt.Patience)
	text, err := io.ReadAll(b)
	b.end(err == nil)
	var size *http.MaxBytesError
	switch {
	case b.late:
		c.Header("Connection", "close")
		return "", errSlow
	case errors.As(err, &size):
		return "", errLongJSON
	case err != nil:
		return "", refuse(http.StatusBadRequest, "MALFORMED_JSON", "The request is cut off.")
	}
	return string(text), nil
}

func decodeJSON(text string, v any) error {
	if err := strictObject(text); err != nil {
		return refuse(http.StatusBadRequest, "MALFORMED_JSON", "The request "+err.Error())
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	err := dec.Decode(v)
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &kind):
		return badField(kind.Field, fmt.Sprintf("The field %s cannot be a %s.", kind.Field, kind.Value))
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return badField(strings.Trim(name, `"`), fmt.Sprintf("There is no field %.100s.", name))
	}
	return refuse(http.StatusBadRequest, "MALFORMED_JSON", "The request must be a JSON object.")
}

// badField refuses the value of one field of a JSON request.
func badField(name, detail string) *problem {
	pointer := "/" + strings.NewReplacer("~", "~0", ".", "/").Replace(name)
	return refuse(http.StatusUnprocessableEntity, "INVALID_FIELD", detail).field(pointer)
}
