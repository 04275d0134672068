package client

import "time"

// Task is a batch: one upload, or rows that a program has sent.
type Task struct {
	ID   string
	Kind string
	Type string
	Name string

	// Status is open, splitting, running, paused or canceling; or, at rest,
	// finished, finished_with_failures, failed or canceled. More may come.
	Status  string
	Done    bool   // at rest: nothing changes without a person
	Outcome string // success, partial, failure or canceled; "" until Done
	Round   int    // how often it was set going: 1, and 1 more with each resubmission

	Counts      Counts
	Progress    Progress
	Errors      []RowError   // the first 20 bad rows
	ErrorGroups []ErrorGroup `json:"error_groups"` // the causes of all bad rows
	Problem     *TaskProblem // why it stopped as a whole; nil if it did not
	Warnings    []string     // about its file

	Tenant     string
	CreatedBy  string `json:"created_by"`
	Labels     map[string]string
	Priority   int
	CreatedAt  time.Time  `json:"created_at"`
	StartedAt  *time.Time `json:"started_at"`
	FinishedAt *time.Time `json:"finished_at"`
	ExpiresAt  *time.Time `json:"expires_at"` // when it is purged
	Version    int64      // grows with every change

	Deduplicated bool // it was there already: see ImportOptions.Dedup
}

// Counts tells where the rows of a task stand. Total is the sum of Enqueue,
// Working, Finish, Failed, Error and Canceled; Retrying is part of Enqueue,
// Skipped of Failed and Error, Superseded of Failed: rows that did not run, for a newer
// row of their key had finished.
type Counts struct {
	Total        int64
	TotalIsFinal bool `json:"total_is_final"` // false while rows are being added
	Enqueue      int64
	Working      int64
	Finish       int64
	Failed       int64 // need a person
	Error        int64 // a fault on the side of the service
	Canceled     int64
	Retrying     int64
	Skipped      int64
	Superseded   int64
}

// Progress is how far a task has come.
type Progress struct {
	Processed int64    // rows at rest
	Percent   *int64   // floored, 100 only when done; nil until the total is final
	RatePerS  *float64 `json:"rate_per_s"` // rows a second; nil if not known
	EtaS      *int64   `json:"eta_s"`      // seconds to go; nil if not known
	Phase     string   // waiting, reading, processing, paused, canceling or done
	Message   string   // of the only job of a task
}

// RowError is a bad row in short.
type RowError struct {
	EventID string `json:"event_id"`
	Row     int    // as a person sees it in the file
	Status  string // failed or error
	Code    string // stable
	Column  string // "" if it is about none, or several
	Value   string
	Message string // in Options.Language
	Hint    string // what to do; often ""
}

// ErrorGroup is one cause of bad rows.
type ErrorGroup struct {
	Code     string
	Title    string // the code in words
	Column   string
	Status   string
	Count    int64
	FirstRow int `json:"first_row"`
	Open     int64
	Fixed    int64
	Skipped  int64

	// Fingerprint and Fault are of system faults, for keys with the scope ops:read. Other
	// keys get all faults of a code as one group.
	Fingerprint string
	Fault       string // type and text of one of them
}

// TaskProblem is why a task stopped as a whole.
type TaskProblem struct {
	Code   string
	Detail string
}
