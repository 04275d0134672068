package client

import "time"

// Task is one upload, one export, or one batch of rows from a program.
type Task struct {
	ID   string
	Kind string
	Type string
	Name string

	// Status is open, splitting, running, paused or canceling until the task is done. Then it is
	// finished, finished_with_failures, failed or canceled. Later versions may add values.
	Status  string
	Done    bool   // the task has ended; only a user can change it
	Outcome string // success, partial, failure or canceled; "" until Done
	Round   int    // 1, and 1 more for each resubmission

	Counts      Counts
	Progress    Progress
	Errors      []RowError   // the first 20 bad rows
	ErrorGroups []ErrorGroup `json:"error_groups"` // the causes of all bad rows
	Problem     *TaskProblem // the reason why the whole task stopped; nil without one
	Warnings    []string     // warnings about its file

	Tenant     string
	CreatedBy  string `json:"created_by"`
	Labels     map[string]string
	Priority   int
	CreatedAt  time.Time  `json:"created_at"`
	RunAt      *time.Time `json:"run_at"` // no row runs before this time; nil means at once
	After      *After     // the tasks that it starts after; nil means none
	StartedAt  *time.Time `json:"started_at"`
	FinishedAt *time.Time `json:"finished_at"`
	ExpiresAt  *time.Time `json:"expires_at"` // when it is deleted
	Version    int64      // grows with every change

	Deduplicated bool // another request made the task: see ImportOptions.Dedup
}

// Counts holds the numbers of a task's rows by status. Total is the sum of Enqueue, Working,
// Finish, Failed, Error and Canceled. Retrying is part of Enqueue, and Skipped is part of Failed
// and Error. Superseded is part of Failed: rows that did not run because another row of their key
// replaces them.
type Counts struct {
	Total        int64
	TotalIsFinal bool `json:"total_is_final"` // false while rows are being added
	Enqueue      int64
	Working      int64
	Finish       int64
	Failed       int64 // rows with a business failure, or that did not run
	Error        int64 // rows that ended with a system fault
	Canceled     int64
	Retrying     int64
	Skipped      int64
	Superseded   int64
}

// Progress holds the number of ended rows of a task, their rate, and the phase of the task.
type Progress struct {
	Processed int64    // ended rows
	Percent   *int64   // rounded down, 100 only when done; nil until the total is final
	RatePerS  *float64 `json:"rate_per_s"` // rows per second; nil if unknown
	EtaS      *int64   `json:"eta_s"`      // remaining seconds; nil if unknown
	Phase     string   // waiting, reading, processing, paused, canceling or done
	Message   string   // of the only job of a task; for an export, how far its file is
}

// RowError is a bad row, which failed or is in error, in short form.
type RowError struct {
	EventID string `json:"event_id"`
	Row     int    // row number in the file, as people see it
	Status  string // failed or error
	Code    string // stable
	Column  string // "" if the fault concerns no column, or several
	Value   string // "" for a corrected row, like Message and Hint
	Message string // in Options.Language
	Hint    string // the next step; often ""

	Resolution string // open, fixed (corrected), skipped, accepted, resubmitted or superseded
}

// ErrorGroup is one cause of bad rows.
type ErrorGroup struct {
	Code     string
	Title    string // short name of the code
	Column   string
	Status   string
	Count    int64
	FirstRow int `json:"first_row"`
	Open     int64
	Fixed    int64
	Skipped  int64

	// Fingerprint and Fault describe system faults. They are set only if the client's API key has the
	// scope ops:read. Other API keys get all faults of a code as one group.
	Fingerprint string
	Fault       string // type and text of one of the faults
}

// TaskProblem is the reason why a whole task stopped.
type TaskProblem struct {
	Code   string
	Detail string
}
