package input

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"unicode/utf8"

	"github.com/rollcall-dev/rollcall/importers/jsonrows"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/conns"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// ErrTooLarge is the problem that a JSON request with rows has more than conns.RowsBytes bytes.
var ErrTooLarge = problem.New(http.StatusRequestEntityTooLarge, "BODY_TOO_LARGE", fmt.Sprintf(
	"The request is larger than %d MB. Send the rows as a file, or as application/x-ndjson.", conns.RowsBytes>>20))

// Object holds the members of a JSON object. The value of the member "rows" is nil, because Parse
// passes the rows to a function.
type Object map[string]json.RawMessage

// Parse reads one JSON object, to the end of the body. The form `f` declares the members of the object.
// Parse calls the function `row` with the index and the text of each element of the member "rows". It
// returns an error for an element that package jsonrows cannot parse.
func Parse(dec *json.Decoder, f *Form, row func(int, []byte) error) (Object, error) {
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, notJSON(dec, err)
	}
	req := Object{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, notJSON(dec, err)
		}
		name, _ := key.(string) // a key is a string
		if err := req.checkMember(name, f); err != nil {
			return nil, err
		}
		if name == "rows" {
			err = readRows(dec, row)
			req[name] = nil
		} else {
			req[name], err = readMember(dec, name)
		}
		if err != nil {
			return nil, err
		}
	}
	if _, err := dec.Token(); err != nil {
		return nil, notJSON(dec, err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, notJSON(dec, err)
	}
	return req, nil
}

// checkMember returns an error for an undeclared or repeated member.
func (r Object) checkMember(name string, f *Form) error {
	if _, twice := r[name]; twice {
		return problem.BadMember(name, http.StatusBadRequest, fmt.Sprintf("%.100q occurs twice.", name))
	}
	if !f.Takes(name) {
		return f.Unknown(name)
	}
	return nil
}

// readMember reads the value of a member, which must be UTF-8.
func readMember(dec *json.Decoder, name string) (json.RawMessage, error) {
	var raw json.RawMessage
	if err := dec.Decode(&raw); err != nil {
		return nil, notJSON(dec, err)
	}
	if !utf8.Valid(raw) {
		return nil, problem.BadMember(name, http.StatusBadRequest, fmt.Sprintf("%s is not UTF-8.", name))
	}
	return raw, nil
}

// readRows reads the member "rows", and calls the function `row` for each element.
func readRows(dec *json.Decoder, row func(int, []byte) error) error {
	open, err := dec.Token()
	if err != nil {
		return notJSON(dec, err)
	}
	if open != json.Delim('[') {
		return problem.BadMember("rows", http.StatusUnprocessableEntity, "rows is a list of objects.")
	}
	for n := 0; dec.More(); n++ {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return notJSON(dec, err)
		}
		if err := checkRow(n, raw); err != nil {
			return err
		}
		if err := row(n, raw); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return notJSON(dec, err)
	}
	return nil
}

// checkRow returns the problem of a malformed row. The index `n` counts from 0.
func checkRow(n int, raw []byte) error {
	var bad *jsonrows.Malformed
	if !errors.As(jsonrows.Check(raw), &bad) {
		return nil
	}
	status := http.StatusUnprocessableEntity
	if bad.Code == tabular.CodeInvalidEncoding {
		status = http.StatusBadRequest
	}
	at := fmt.Sprintf("/rows/%d", n)
	if bad.Field != "" {
		at += "/" + problem.Pointer(bad.Field)
	}
	p := problem.New(status, bad.Code, fmt.Sprintf("Row %d: %s", n+1, bad.Detail))
	p.Errors = []problem.Fault{{Pointer: at, Row: n + 1, Code: bad.Code, Detail: bad.Detail}}
	return p
}

// notJSON returns the problem of a body that is too large, truncated, or not a JSON object.
func notJSON(dec *json.Decoder, err error) error {
	var size *http.MaxBytesError
	if errors.As(err, &size) {
		return ErrTooLarge
	}
	return problem.New(http.StatusBadRequest, "MALFORMED_JSON", fmt.Sprintf(
		"The request is not one well-formed JSON object, near byte %d.", dec.InputOffset()+1))
}

// Into decodes a member into `v`. If the member is missing, `v` does not change. The argument `what`
// describes the expected type in an error, such as "a whole number".
func (r Object) Into(name, what string, v any) error {
	raw, ok := r[name]
	if !ok || json.Unmarshal(raw, v) == nil {
		return nil
	}
	return problem.BadMember(name, http.StatusUnprocessableEntity, fmt.Sprintf("%s must be %s.", name, what))
}
