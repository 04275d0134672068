package input

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/internal/conns"
	"github.com/rollcall-dev/rollcall/internal/strictjson"
	"github.com/rollcall-dev/rollcall/web/problem"
)

var errLongJSON = problem.New(http.StatusRequestEntityTooLarge, "BODY_TOO_LARGE",
	fmt.Sprintf("The request may have at most %d kB.", conns.JSONBytes>>10))

// ReadText returns the body of a JSON request. It rejects more than conns.JSONBytes bytes. It returns
// problem.ErrTooSlow if the body stalls for the time `patience`, or arrives more slowly than
// conns.SlowestRate.
func ReadText(w http.ResponseWriter, r *http.Request, patience time.Duration) (string, error) {
	if r.ContentLength > conns.JSONBytes {
		return "", errLongJSON
	}
	b := Open(w, r, conns.JSONBytes, patience)
	text, err := io.ReadAll(b)
	b.End(err == nil)
	var size *http.MaxBytesError
	switch {
	case b.Late:
		w.Header().Set("Connection", "close")
		return "", problem.ErrTooSlow
	case errors.As(err, &size):
		return "", errLongJSON
	case err != nil:
		return "", problem.New(http.StatusBadRequest, "MALFORMED_JSON", "The request is cut off.")
	}
	return string(text), nil
}

// Decode decodes one JSON object into `v`. It returns an error for a member that `f` does not declare.
func Decode(text string, f *Form, v any) error {
	if err := strictjson.Check(text); err != nil {
		return problem.New(http.StatusBadRequest, "MALFORMED_JSON", "The request "+err.Error())
	}
	if name, found := f.undeclared(text); found {
		return f.Unknown(name)
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	err := dec.Decode(v)
	var kind *json.UnmarshalTypeError
	var own *problem.Problem // an error from the UnmarshalJSON of a value
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own):
		return own
	case errors.As(err, &kind):
		return problem.BadField(kind.Field, fmt.Sprintf("The field %s cannot be a %s.", kind.Field, kind.Value))
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return problem.BadField(strings.Trim(name, `"`), fmt.Sprintf("Unknown field %.100s.", name))
	}
	return problem.New(http.StatusBadRequest, "MALFORMED_JSON", "The request must be a JSON object.")
}

// undeclared returns a member that `f` does not declare, if the JSON object has one. It compares names
// case-sensitively. The JSON decoder alone would accept a name in another case.
func (f *Form) undeclared(text string) (name string, found bool) {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) != nil {
		return "", false // Decode returns the error
	}
	for name := range object {
		if !f.Takes(name) {
			return name, true
		}
	}
	return "", false
}
