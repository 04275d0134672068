package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/importers"
	"github.com/rollcall-dev/rollcall/internal/conns"
	"github.com/rollcall-dev/rollcall/web/problem"
)

var errBodyTooLarge = problem.New(http.StatusRequestEntityTooLarge, "BODY_TOO_LARGE", fmt.Sprintf(
	"The request is larger than %d MB. Send the rows as a file, or as application/x-ndjson.", conns.RowsBytes>>20))

// request is a JSON object, as it came: its members, apart from the rows.
type request map[string]json.RawMessage

// readRequest reads a JSON request with the members that its route declares. Rows,
// if declared, are handed to row one by one, each a JSON object of plain values.
func (s *Server) readRequest(c *gin.Context, row func(n int, text []byte) error) (request, error) {
	if err := s.ready(c.Request.Context()); err != nil {
		return nil, fmt.Errorf("%w: %w", problem.ErrUnavailable, err)
	}
	if c.Request.ContentLength > conns.RowsBytes {
		return nil, errBodyTooLarge
	}
	b := openBody(c, conns.RowsBytes, s.opt.Patience)
	req, err := parseRequest(json.NewDecoder(b), formTaken(c), row)
	b.end(err == nil)
	if b.late {
		c.Header("Connection", "close")
		return nil, problem.ErrTooSlow
	}
	return req, err
}

// parseRequest reads one object to the proved end of the body.
func parseRequest(dec *json.Decoder, f *bodyForm, row func(int, []byte) error) (request, error) {
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, notJSON(dec, err)
	}
	req := request{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, notJSON(dec, err)
		}
		name, _ := key.(string) // nothing else is a key
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

// may tells whether a member of that name may come.
func (r request) may(name string, f *bodyForm) error {
	if _, twice := r[name]; twice {
		return problem.BadMember(name, http.StatusBadRequest, fmt.Sprintf("%.100q stands twice.", name))
	}
	if !f.takes(name) {
		return f.unknown(name)
	}
	return nil
}

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

// checkRow refuses a row that cannot be read at all.
func checkRow(n int, raw []byte) error {
	var bad *importers.Malformed
	if !errors.As(importers.CheckJSONRow(raw), &bad) {
		return nil
	}
	status := http.StatusUnprocessableEntity
	if bad.Code == importers.CodeInvalidEncoding {
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

// notJSON tells a body that is too large or cut off from one that is no JSON.
func notJSON(dec *json.Decoder, err error) error {
	var size *http.MaxBytesError
	if errors.As(err, &size) {
		return errBodyTooLarge
	}
	return problem.New(http.StatusBadRequest, "MALFORMED_JSON", fmt.Sprintf(
		"The request is not one well-formed JSON object, near byte %d.", dec.InputOffset()+1))
}

// into decodes a member; one that is not there stays as it is.
func (r request) into(name, what string, v any) error {
	raw, ok := r[name]
	if !ok || json.Unmarshal(raw, v) == nil {
		return nil
	}
	return problem.BadMember(name, http.StatusUnprocessableEntity, fmt.Sprintf("%s is %s.", name, what))
}
