package problem

import (
	"net/http"
)

// Problem is a problem document of RFC 9457 about a failed request. It implements error.
type Problem struct {
	Type      string `json:"type"`
	Title     string `json:"title"`
	Status    int    `json:"status"`
	Detail    string `json:"detail" doc:"Text for users, in the language of the request."`
	Instance  string `json:"instance" doc:"The requested address."`
	Code      string `json:"code" doc:"Stable: see the codes of this document." schema:"pattern=^[A-Z][A-Z0-9_]*$"`
	RequestID string `json:"request_id"`

	Choices []string `json:"choices,omitempty" doc:"Values of an option that would solve the problem."`
	Version int      `json:"version,omitempty" doc:"The current version of a row or schedule that has changed."`
	Errors  []Fault  `json:"errors,omitempty"`

	// Suggested is a mapping from headings to columns that may solve the problem.
	Suggested map[string]string `json:"suggested_mapping,omitempty" doc:"For 'options.mapping': heading to column."`

	// Args are the values of placeholders in the texts of other languages.
	Args map[string]string `json:"-"`

	// RetryAfter is the number of seconds after which a retry may succeed; 0 sends no Retry-After.
	RetryAfter int `json:"-"`

	row int // row of the file; 0 if none
}

// Fault is one location in the request or file that caused the problem.
type Fault struct {
	Pointer string `json:"pointer,omitempty" doc:"In the request: a JSON pointer, or '?name' of a parameter."`
	Column  string `json:"column,omitempty"`
	Row     int    `json:"row,omitempty"`
	Code    string `json:"code"`
	Detail  string `json:"detail"`

	name, near string // a missing column, and the most similar heading
}

func (p *Problem) Error() string { return p.Code + ": " + p.Detail }

// New returns a problem with the given status, code and detail.
func New(status int, code, detail string) *Problem {
	return &Problem{Status: status, Code: code, Detail: detail}
}

// Temporary returns a problem with the status 503. The client may retry the request after 5 seconds.
func Temporary(code, detail string) *Problem {
	return &Problem{Status: http.StatusServiceUnavailable, Code: code, Detail: detail, RetryAfter: 5}
}

// At adds a location in the request that caused the problem, and returns the problem.
func (p *Problem) At(pointer string) *Problem {
	p.Errors = append(p.Errors, Fault{Pointer: pointer, Code: p.Code, Detail: p.Detail})
	return p
}
