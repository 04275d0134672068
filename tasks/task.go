package tasks

import "errors"

// Status is the status of a task. Later versions may add values.
type Status string

// These are the statuses of a task. A task with the status Finished, FinishedWithFailures, Failed or
// Canceled is done: its status changes only after an action of a user.
const (
	Open                 Status = "open"      // accepted; its file is not read yet, or a program adds its rows
	Splitting            Status = "splitting" // rows are being read; the first may run already
	Running              Status = "running"   // all rows are known
	Paused               Status = "paused"
	Canceling            Status = "canceling"
	Finished             Status = "finished"
	FinishedWithFailures Status = "finished_with_failures"
	Failed               Status = "failed" // no row succeeded, or the file could not be read
	Canceled             Status = "canceled"
)

// Done reports whether the status changes only after an action of a user.
func (s Status) Done() bool {
	switch s {
	case Finished, FinishedWithFailures, Failed, Canceled:
		return true
	}
	return false
}

// Hold is the reason why no row of a task runs yet.
type Hold string

// These are the values of Hold. The service lifts a hold when it has found all rows valid. If a row is
// invalid under HoldBlock, a user can lift the hold with Resume, after all rows are known.
const (
	HoldNone  Hold = ""
	HoldBlock Hold = "block"          // until all rows are found valid, or a user resumes the task
	HoldAll   Hold = "all_or_nothing" // until all rows are validated; with an invalid row, no row ever runs

	// HoldRefused is never lifted, and the rows are canceled. It means that a row is invalid under
	// HoldAll, or that the file could not be read to its end.
	HoldRefused Hold = "refused"
)

// These are the types of a task.
const (
	Import = "import"
	Export = "export"
	Batch  = "batch"
)

// These are errors that callers may test for with errors.Is.
var (
	// ErrNotFound means that the task does not exist, or belongs to another tenant.
	ErrNotFound = errors.New("no such task")

	// ErrExpired means that the contents of the task or file were deleted, at the end of the
	// retention or by a user.
	ErrExpired = errors.New("the contents were deleted")

	// ErrClaimLost means that another process has taken over the claimed work. The caller must stop
	// at once; the other process does the work that was not committed.
	ErrClaimLost = errors.New("claim lost")
)

// Task is one upload, export or batch. A time is in unix milliseconds; 0 means not yet, or none.
type Task struct {
	Num       int64  `gorm:"primaryKey;autoIncrement"` // number inside the ledger; set by Create
	ID        string // UUIDv7, the public id
	Tenant    string // the owner
	Kind      string // name of the kind of its rows
	Type      string // Import, Export or Batch
	Name      string // name given by the user
	Status    Status
	Outcome   string            // success, partial, failure or canceled; empty until done
	Priority  int               // greater is fed first
	CreatedBy string            // the credential that created it
	Labels    map[string]string `gorm:"serializer:json"`
	Options   map[string]any    `gorm:"serializer:json"`
	Problem   *Problem          `gorm:"serializer:json"` // the reason why the task stopped or does not run; nil if none

	// Hold is HoldNone if the rows may run.
	Hold Hold

	// Warnings describe what the reader of the file assumed or left out without asking the user.
	Warnings []string `gorm:"serializer:json"`

	// MaxFailures is the maximum number of rows that may be failed or in error, without superseded rows.
	// Above this number, the service cancels the task with a Problem. Nil means no limit.
	MaxFailures *int64

	Source  `gorm:"embedded"`
	Columns []Column `gorm:"serializer:json"` // headings of the upload, in its order

	Unmerged bool // its result file is not merged yet
	Result   `gorm:"embedded"`

	Counts       `gorm:"embedded"`
	TotalIsFinal bool

	Progress Progress `gorm:"embedded;embeddedPrefix:progress_"`

	DedupKey     *string // deduplication key; nil if none
	Parent       int64   // number of the parent; 0 if none
	ParentID     string  // its public id
	Depth        int     // number of ancestors
	Children     int64   // tasks that have this one as their parent
	ChildrenDone int64   // children that are done

	After     []string `gorm:"column:after_ids;serializer:json"` // ids of the tasks that it starts after
	AfterWell bool     // the tasks in After must end with success
	Awaits    int64    // tasks in After that the task still waits for
	Followers int64    // tasks that have this one in After

	RunAt       int64  // earliest time at which rows are fed
	ScheduleID  string // the schedule that created it; empty if none
	PlannedAt   int64  // planned time of the schedule; 0 if a user started it
	CallbackURL string // URL that is notified when the task is done, in addition to webhooks; empty if none

	Round      int   // from 1; grows with each resubmission: within a round, rows at rest stay so
	Version    int64 // grows with each change that the API shows
	CreatedAt  int64 `gorm:"autoCreateTime:false"`
	StartedAt  int64 // first outcome or first working row
	MovedAt    int64 // last change of a count
	FinishedAt int64
	RanMs      int64 // total run time of its ended rounds, in ms, without the times between rounds
	RoundAt    int64 // last time at which the done task was reopened; 0 if never: its run then began at StartedAt
	ExpiresAt  int64 // when it may be purged; an estimate until it is done

	Keep         int64 // retention in ms after it is done
	PurgedAt     int64 // when its texts were deleted; counts and times stay
	FilePurgedAt int64 // when its uploaded file was deleted
	Sweep        Left  // what has to be deleted after the purge
}

// Counts holds the number of rows of a task by status, with the JSON names of the API. Total is the
// sum of Enqueue, Working, Finish, Failed, Error and Canceled.
type Counts struct {
	Total      int64 `json:"total" schema:"minimum=0"`
	Enqueue    int64 `json:"enqueue" schema:"minimum=0"`
	Working    int64 `json:"working" schema:"minimum=0"`
	Finish     int64 `json:"finish" schema:"minimum=0"`
	Failed     int64 `json:"failed" doc:"Rows that a user must correct, skip or accept." schema:"minimum=0"`
	Error      int64 `json:"error" doc:"Rows with a system error that are not retried." schema:"minimum=0"`
	Canceled   int64 `json:"canceled" schema:"minimum=0"`
	Retrying   int64 `json:"retrying" doc:"Part of 'enqueue'." schema:"minimum=0"`
	Skipped    int64 `json:"skipped" doc:"Part of 'failed' and 'error', with the rows that users have accepted." schema:"minimum=0"`
	Superseded int64 `json:"superseded" doc:"Part of 'failed'. Rows that did not run because another row of their key counts." schema:"minimum=0"`
}

// Progress is the progress of a task with one job, as the handler reports it, or the number of written
// rows of an export. For other tasks the numbers are 0. After PutOff, Text is the reason for the delay.
type Progress struct {
	Done, Total int64  // in units of the handler; Total is 0 if unknown
	Text        string // for users
}

// Source is the uploaded file of an import.
type Source struct {
	FileID     string // name in the blob store
	FileName   string // name given by the user
	FileSheet  string // sheet of a workbook
	FileFormat string // xlsx, csv, tsv, jsonl or json
	FileSize   int64  // bytes
	FileSHA256 string `gorm:"column:file_sha256"` // hex
	HeaderRow  int    // row of the headings, from 1

	FileEncoding  string // WHATWG name of the character set of a text; empty means detect it
	FileDelimiter string // the delimiter of a text, one character; empty means detect it
}

// Result is the result file of an export.
type Result struct {
	ResultID       string `gorm:"column:result_id"`        // name in the blob store; empty if there is none
	ResultName     string `gorm:"column:result_name"`      // name for users
	ResultSize     int64  `gorm:"column:result_size"`      // bytes
	ResultSHA256   string `gorm:"column:result_sha256"`    // hex
	ResultRows     int64  `gorm:"column:result_rows"`      // without headings
	ResultPurgedAt int64  `gorm:"column:result_purged_at"` // when it was deleted
}

// Column is one heading of the upload, with the column of the kind to which it is mapped.
type Column struct {
	Header string `json:"header" doc:"The heading of the column in the file."`
	Field  string `json:"field,omitempty" doc:"The column of the kind; absent if it is none."`
}

// Problem is the reason for an exceptional state of a task, in a text for users. Examples: rows of the
// file are invalid, so that no row of the task runs; the service canceled the task; the file could not be
// read to its end; the file of an export could not be written.
type Problem struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
	Row    int    `json:"row,omitempty"`
	Column string `json:"column,omitempty"`
}

// Processed returns the number of jobs at rest.
func (t *Task) Processed() int64 { return t.Finish + t.Failed + t.Error + t.Canceled }
