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

// Problem is an answer that refuses a request, as RFC 9457 tells it. Get at it
// with errors.As.
type Problem struct {
	Status    int     // of HTTP
	Code      string  // stable, such as "WRONG_STATUS"; "" if a proxy answered
	Title     string  // what kind of problem it is
	Detail    string  // for people, in Options.Language
	RequestID string  `json:"request_id"` // under which the service has logged it
	Errors    []Fault // the places of the request that are at fault

	// Version is that of a row which another has changed: see Client.Repair.
	Version int

	// SuggestedMapping, heading to field, may mend a file whose headings are
	// misspelt: send it as ImportOptions.Mapping.
	SuggestedMapping map[string]string `json:"suggested_mapping"`

	// RetryAfter is when the service wants to be asked again; 0 if it did not
	// say.
	RetryAfter time.Duration `json:"-"`
}

// Fault is one place of a request that is at fault.
type Fault struct {
	Pointer string // into the request, as RFC 6901 has it; or "?name"
	Column  string // heading or field, if it is about one
	Row     int    // in the file or list, from 1; 0 if it is about none
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

// problemOf reads an answer that refuses. What does not come from the service
// is told by its status alone.
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

// retryAfter reads the header in either of its forms; 0 if there is none.
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
