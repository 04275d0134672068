package tasks

import "errors"

// Status is where a task stands. Enums may grow.
type Status string

// The statuses of a task. The last four are at rest: nothing will change
// without a person.
const (
	Open                 Status = "open"      // accepted, not read yet
	Splitting            Status = "splitting" // rows are being read; the first may run already
	Running              Status = "running"   // all rows are known
	Paused               Status = "paused"
	Canceling            Status = "canceling"
	Finished             Status = "finished"
	FinishedWithFailures Status = "finished_with_failures"
	Failed               Status = "failed" // nothing succeeded, or the file could not be read
	Canceled             Status = "canceled"
)

// Done reports whether nothing will change without a person.
func (s Status) Done() bool {
	switch s {
	case Finished, FinishedWithFailures, Failed, Canceled:
		return true
	}
	return false
}

// Hold is the reason why no row of a task runs yet.
type Hold string

// What holds the rows of a task. It is lifted by the machine, with an invalid
// row under HoldBlock by Resume.
const (
	HoldNone  Hold = ""
	HoldBlock Hold = "block"          // until all rows are known to be valid, or a person resumes it
	HoldAll   Hold = "all_or_nothing" // the same, but with an invalid row none will ever run

	// HoldRefused is never lifted: a row is invalid and all were to be valid, or the
	// file could not be read to its end. The rows are canceled.
	HoldRefused Hold = "refused"
)

// The types of a task.
const (
	Import = "import"
	Export = "export"
	Batch  = "batch"
)

// Errors that callers may test for with errors.Is.
var (
	// ErrNotFound means there is no such task, or it is another tenant's.
	ErrNotFound = errors.New("no such task")

	// ErrExpired means there was such a task, or file, and its time is over:
	// nothing of it is left to be had.
	ErrExpired = errors.New("time is over")

	// ErrClaimLost means another process has taken over the work that a
	// claim stood for. Stop at once; what was not committed is done there.
	ErrClaimLost = errors.New("claim lost")
)

// Task is one batch. Times are unix milliseconds, 0 where not reached.
type Task struct {
	Num       int64             `gorm:"primaryKey;autoIncrement"` // number inside the ledger; set by Create
	ID        string            // UUIDv7, the public id
	Tenant    string            // who owns it
	Kind      string            // the registered worker
	Type      string            // Import, Export or Batch
	Name      string            // what a person called it
	Status    Status            //
	Outcome   string            // success, partial, failure or canceled; empty until done
	Priority  int               // greater is fed first
	CreatedBy string            // the credential that created it
	Labels    map[string]string `gorm:"serializer:json"`
	Options   map[string]any    `gorm:"serializer:json"`
	Problem   *Problem          `gorm:"serializer:json"` // why the file could not be read to its end

	// Hold keeps rows from running until the file is read to its end, or for good.
	Hold Hold

	// Warnings are decisions about the file that the reader made by itself.
	Warnings []string `gorm:"serializer:json"`

	// MaxFailures is how many rows may be failed or in error; one more, and the
	// task is canceled by itself, with a Problem. Nil is any number.
	MaxFailures *int64

	Source  `gorm:"embedded"`
	Columns []Column `gorm:"serializer:json"` // headings of the upload, in its order

	Unmerged bool // it makes a file, which is not there yet
	Result   `gorm:"embedded"`

	Counts       `gorm:"embedded"`
	TotalIsFinal bool

	Progress Progress `gorm:"embedded;embeddedPrefix:progress_"`

	DedupKey     *string // what must not be there twice; nil if nothing. See Once
	Parent       int64   // number of the parent; 0 if none
	ParentID     string  // its public id
	Depth        int     // how many ancestors there are
	Children     int64   // tasks that have this one as their parent
	ChildrenDone int64   // those of them that are done

	After     []string `gorm:"column:after_ids;serializer:json"` // ids of the tasks that it starts after
	AfterWell bool     // these must end with success
	Awaits    int64    // how many of these have not ended so yet
	Followers int64    // tasks that were made to start after this one

	RunAt       int64  // nothing is fed before
	ScheduleID  string // the schedule that made it; empty if none did
	PlannedAt   int64  // when that was to run; 0 if a person started it
	CallbackURL string // gets a request at the end, beside webhooks; empty: none

	Round      int   // 1; grows with each resubmission: within a round, rows at rest stay so
	Version    int64 // grows with every change
	CreatedAt  int64 `gorm:"autoCreateTime:false"`
	StartedAt  int64 // first outcome or first working row
	MovedAt    int64 // last change of a count
	FinishedAt int64
	RanMs      int64 // how long its ended rounds ran, in ms: without the time until people resubmit rows
	RoundAt    int64 // when the round began; 0: the first one, which began at StartedAt
	ExpiresAt  int64 // when it may be purged; an estimate until it is done

	Keep         int64 // ms for which it is kept once it is done
	PurgedAt     int64 // when it was reduced to this row, counts and times
	FilePurgedAt int64 // when its uploaded file was deleted
	Sweep        Left  // what is left of it once it was purged
}

// Counts is where the rows of a task stand, also as the API shows it. Total is the
// sum of Enqueue, Working, Finish, Failed, Error and Canceled.
type Counts struct {
	Total      int64 `json:"total" schema:"minimum=0"`
	Enqueue    int64 `json:"enqueue" schema:"minimum=0"`
	Working    int64 `json:"working" schema:"minimum=0"`
	Finish     int64 `json:"finish" schema:"minimum=0"`
	Failed     int64 `json:"failed" doc:"A person is needed." schema:"minimum=0"`
	Error      int64 `json:"error" doc:"Rows with a system error that are not retried." schema:"minimum=0"`
	Canceled   int64 `json:"canceled" schema:"minimum=0"`
	Retrying   int64 `json:"retrying" doc:"Part of 'enqueue'." schema:"minimum=0"`
	Skipped    int64 `json:"skipped" doc:"Part of 'failed' and 'error'." schema:"minimum=0"`
	Superseded int64 `json:"superseded" doc:"Part of 'failed'. Rows that did not run because another row of their key counts." schema:"minimum=0"`
}

// Progress is the progress of a task's only job, as its handler reports it, or the number of written
// rows of an export. Other tasks have none.
type Progress struct {
	Done, Total int64  // of whatever it counts; Total is 0 if it does not know
	Text        string // for a person
}

// Source is the uploaded file of an import.
type Source struct {
	FileID     string // name in the blob store
	FileName   string // as the person called it
	FileSheet  string // of a workbook
	FileFormat string // xlsx, csv, tsv, jsonl or json
	FileSize   int64  // bytes
	FileSHA256 string `gorm:"column:file_sha256"` // hex
	HeaderRow  int    // row of the headings, from 1

	FileEncoding  string // character set of a text by its WHATWG name; empty: found again
	FileDelimiter string // one character between the cells of a text; empty: found again
}

// Result is the file that a task has made: the end of an export.
type Result struct {
	ResultID       string `gorm:"column:result_id"`        // name in the blob store; empty: there is none
	ResultName     string `gorm:"column:result_name"`      // as a person calls it
	ResultSize     int64  `gorm:"column:result_size"`      // bytes
	ResultSHA256   string `gorm:"column:result_sha256"`    // hex
	ResultRows     int64  `gorm:"column:result_rows"`      // without headings
	ResultPurgedAt int64  `gorm:"column:result_purged_at"` // when it was deleted
}

// Column is one heading of the upload and the field it feeds.
type Column struct {
	Header string `json:"header" doc:"As in the file."`
	Field  string `json:"field,omitempty" doc:"The column of the kind; absent if it is none."`
}

// Problem is why a file could not be read to its end, or why a task was
// canceled by itself, in words for a person.
type Problem struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
	Row    int    `json:"row,omitempty"`
	Column string `json:"column,omitempty"`
}

// Processed returns the number of jobs at rest.
func (t *Task) Processed() int64 { return t.Finish + t.Failed + t.Error + t.Canceled }
