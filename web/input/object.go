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

// ErrTooLarge is the problem of a JSON request with too many bytes.
var ErrTooLarge = problem.New(http.StatusRequestEntityTooLarge, "BODY_TOO_LARGE", fmt.Sprintf(
	"The request is larger than %d MB. Send the rows as a file, or as application/x-ndjson.", conns.RowsBytes>>20))

// Object holds the members of a JSON object, except the rows.
type Object map[string]json.RawMessage

// Parse reads one object to the end of the body. f has the known members. Rows are passed to row
// one by one, each a JSON object of plain values.
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
		name, _ := key.(string) // a key is a text
		if err := req.may(name, f); err != nil {
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

// may returns an error for an unknown or repeated member.
func (r Object) may(name string, f *Form) error {
	if _, twice := r[name]; twice {
		return problem.BadMember(name, http.StatusBadRequest, fmt.Sprintf("%.100q occurs twice.", name))
	}
	if !f.Takes(name) {
		return f.Unknown(name)
	}
	return nil
}

// readMember reads the value of a member.
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

// readRows reads the list of rows.
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

// checkRow returns an error for a row that is not readable.
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

// notJSON returns the problem of a body that is too large, truncated or not JSON.
func notJSON(dec *json.Decoder, err error) error {
	var size *http.MaxBytesError
	if errors.As(err, &size) {
		return ErrTooLarge
	}
	return problem.New(http.StatusBadRequest, "MALFORMED_JSON", fmt.Sprintf(
		"The request is not one well-formed JSON object, near byte %d.", dec.InputOffset()+1))
}

// Into decodes a member into v, which stays as it is if the member is missing. what names the type.
func (r Object) Into(name, what string, v any) error {
	raw, ok := r[name]
	if !ok || json.Unmarshal(raw, v) == nil {
		return nil
	}
	return problem.BadMember(name, http.StatusUnprocessableEntity, fmt.Sprintf("%s is %s.", name, what))
}
