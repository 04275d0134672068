package client

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"time"
)

// Problem is the response of the service to a rejected request, as in RFC 9457. Callers find it
// with errors.As.
type Problem struct {
	Status    int     // HTTP status
	Code      string  // stable, such as "WRONG_STATUS"; "" if a proxy responded
	Title     string  // short text of the problem
	Detail    string  // for people, in Options.Language
	RequestID string  `json:"request_id"` // in the log of the service
	Errors    []Fault // the faults of the request

	// Version is the current version of a row that has changed since the caller read it: see
	// Client.Repair.
	Version int

	// SuggestedMapping maps headings to fields for a file with unknown headings. To accept the mapping, the
	// caller uploads the file again with this value in ImportOptions.Mapping.
	SuggestedMapping map[string]string `json:"suggested_mapping"`

	// RetryAfter is the pause that the service requests before a retry, or 0.
	RetryAfter time.Duration `json:"-"`
}

// Fault is one fault of a request.
type Fault struct {
	Pointer string // position in the body, as in RFC 6901, or "?name" for a query parameter
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

// maxProblem is the maximum number of bytes that the client reads of an error response.
const maxProblem = 1 << 20

// problemOf parses an error response. If the body is not JSON, for example because a proxy has sent it,
// problemOf uses only the status and the headers.
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

// maxSeconds is about the longest time.Duration, 292 years.
const maxSeconds = math.MaxInt64 / int64(time.Second)

// retryAfter parses the header Retry-After, in seconds or as a date. It returns 0 if the header is
// missing or malformed.
func retryAfter(h http.Header) time.Duration {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.Duration(min(max(seconds, 0), maxSeconds)) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(time.Until(at), 0)
	}
	return 0
}
