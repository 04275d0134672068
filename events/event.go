package events

import (
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

// Status is the status of a job.
type Status string

// These are all statuses of an event.
const (
	Enqueue  Status = "enqueue"  // waits; with attempt > 0 it waits to run again
	Working  Status = "working"  // a handler runs
	Finish   Status = "finish"   // the handler has finished
	Failed   Status = "failed"   // business failure, or the row was invalid, superseded or revoked
	Error    Status = "error"    // system fault that is not retried automatically
	Canceled Status = "canceled" // will not run
)

// AtRest reports whether a row with this status is at rest: it neither waits nor runs.
func (s Status) AtRest() bool { return s != Enqueue && s != Working }

// Bad reports whether the status is Failed or Error.
func (s Status) Bad() bool { return s == Failed || s == Error }

// These are errors that callers may test for with errors.Is.
var (
	// ErrNotFound means that there is no such event.
	ErrNotFound = errors.New("no such event")

	// ErrValueRejected means that the database rejects a value. A retry with the same value is expected
	// to fail.
	ErrValueRejected = errors.New("the database cannot store the value")

	// ErrClaimLost means that the claim of the caller is not valid any more, for example because
	// another process has it. The caller must stop.
	ErrClaimLost = errors.New("claim lost")
)

// ID is the primary key of an event. The high 32 bits are the number of its task; the low 32 bits
// are its seq, from 1 in file order.
type ID int64

// NewID returns the id of the event with the given `seq` in the task with number `num`.
func NewID(num, seq int64) ID { return ID(num<<32 | seq) }

// Num returns the number of the task.
func (id ID) Num() int64 { return int64(id) >> 32 }

// Seq returns the position of the event in its task, from 1.
func (id ID) Seq() int64 { return int64(id) & (1<<32 - 1) }

// JobID returns the public id of the event: "<task id>.<seq>".
func (id ID) JobID(taskID string) string {
	return taskID + "." + strconv.FormatInt(id.Seq(), 10)
}

// ParseJobID splits a job id into the id of its task and its seq. It returns ErrNotFound if the id
// is malformed.
func ParseJobID(s string) (taskID string, seq int64, err error) {
	taskID, tail, ok := strings.Cut(s, ".")
	seq, convErr := strconv.ParseInt(tail, 10, 64)
	if !ok || convErr != nil || seq < 1 || seq >= 1<<32 || strconv.FormatInt(seq, 10) != tail {
		return "", 0, fmt.Errorf("events: %q: %w", s, ErrNotFound)
	}
	return taskID, seq, nil
}

// Event is the record of one job. Times are in unix milliseconds. A time or text is nil if it does not
// apply.
type Event struct {
	ID         ID `gorm:"primaryKey"`
	Row        int
	Key        string
	Status     Status
	Attempt    int    // attempts started; interrupted ones do not count
	Params     string // JSON
	Code       *string
	Col        *string
	Value      *string
	Message    *string
	Hint       *string
	Fields     *string // JSON of []Field: the columns at fault, if more than one
	Result     *string // JSON
	Messages   *string // one Note in JSON per line
	QueuedAt   *int64  // when it became ready to run; set when it starts
	StartedAt  *int64
	FinishedAt *int64
	NextRunAt  *int64
	Version    int
	KeyHash    int64   // hash of its lane and key
	Score      *int64  // version of the row; nil if none
	RanBy      *int32  // number of the process that ran the last attempt
	Print      *string // fingerprint of the system fault that ended it

	Spared         int         // attempts before the last resubmission, which do not count as retries
	Resolution     *Resolution // stored decision about the row; nil if there is none
	ResolvedBy     *string     // user; nil if the service decided
	ResolvedAt     *int64      // time of the decision
	ResolutionNote *string     // reason
}

// Failure is the fault of a row, in texts for users.
type Failure struct {
	Code    string  // stable, UPPER_SNAKE
	Column  string  // heading; empty if the fault concerns the whole row
	Value   string  // as found
	Message string  // what is wrong
	Hint    string  // what to do
	Args    Args    // names and values in Message
	Fields  []Field // the columns at fault, if more than one
}

// Field is one fault of a row: its column, the value of the cell, and the reason.
type Field struct {
	Column  string `json:"column"`
	Value   string `json:"value"`
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	Args    Args   `json:"args,omitempty" schema:"-"`
}

// Lane is the scope of ordering keys: the jobs of one tenant and kind. Rows of one lane with equal
// keys run one after another. A row with an empty key has no order.
type Lane struct{ Tenant, Kind string }

// Hash returns the 64-bit FNV-1a hash of the lane and a key, or 1 if that hash is 0. Column key_hash
// contains the result, so that a query can find the rows of a key in all tasks. For an empty key and for
// the zero Lane, Hash returns 0. Such rows are never searched by key. Code that finds rows by hash must
// also compare their keys, since hashes can collide. A row whose contents were deleted has no key, so only
// its hash is compared.
func (l Lane) Hash(key string) int64 {
	if key == "" || l == (Lane{}) {
		return 0
	}
	h := fnv.New64a()
	for _, part := range [...]string{l.Tenant, "\x00", l.Kind, "\x00", key} {
		_, _ = h.Write([]byte(part)) // never fails
	}
	if sum := int64(h.Sum64()); sum != 0 {
		return sum
	}
	return 1
}
