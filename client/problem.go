package client

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Problem is a response that rejects a request, in the form of RFC 9457. Get it with errors.As.
type Problem struct {
	Status    int     // HTTP status
	Code      string  // stable, such as "WRONG_STATUS"; "" if a proxy answered
	Title     string  // the kind of problem
	Detail    string  // for people, in Options.Language
	RequestID string  `json:"request_id"` // in the log of the service
	Errors    []Fault // the faults of the request

	// Version is the current version of a row changed by another user: see Client.Repair.
	Version int

	// SuggestedMapping, from heading to field, may repair a file with misspelled headings: send it
	// as ImportOptions.Mapping.
	SuggestedMapping map[string]string `json:"suggested_mapping"`

	// RetryAfter is the pause that the service requests; 0 without one.
	RetryAfter time.Duration `json:"-"`
}

// Fault is one fault of a request.
type Fault struct {
	Pointer string // position in the request, as in RFC 6901; or "?name"
	Column  string // heading or field; "" if none
	Row     int    // number in the file or list, from 1; 0 if none
	Code    string // stable
	Detail  string // for people
}

func (p *Problem) Error() string {
	text := fmt.Sprintf("rollcall: %d %s: %s", p.Status, p.Code, cmp.Or(p.Detail, p.Title))
	if p.RequestID != "" {
		text += " (request " + p.RequestID + ")"
	}
	return text
}

// maxProblem bounds a problem document, in bytes.
const maxProblem = 1 << 20

// problemOf parses a response that rejects a request. For a response of another server it keeps only
// the status.
func problemOf(res *http.Response) *Problem {
	p := &Problem{}
	text, err := io.ReadAll(io.LimitReader(res.Body, maxProblem))
	if err != nil || json.Unmarshal(text, p) != nil {
		p = &Problem{}
	}
	p.Status, p.RetryAfter = res.StatusCode, retryAfter(res.Header)
	p.Title = cmp.Or(p.Title, http.StatusText(res.StatusCode))
	p.RequestID = cmp.Or(p.RequestID, res.Header.Get("X-Request-Id"))
	return p
}

// retryAfter parses the header in either of its forms; 0 if it is missing.
func retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil {
		return max(time.Duration(seconds)*time.Second, 0)
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(time.Until(at), 0)
	}
	return 0
}
