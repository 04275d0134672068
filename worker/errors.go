package worker

import (
	"errors"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/enqueue"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
)

// These are codes of failures, and limits.
const (
	CodeRequired      = rowschema.CodeRequired      // REQUIRED
	CodeInvalidNumber = rowschema.CodeInvalidNumber // INVALID_NUMBER
	CodeInvalidDate   = rowschema.CodeInvalidDate   // INVALID_DATE
	CodeInvalidValue  = rowschema.CodeInvalidValue  // INVALID_VALUE
	CodeTooLong       = rowschema.CodeTooLong       // TOO_LONG
	CodeUnclearNumber = rowschema.CodeUnclearNumber // UNCLEAR_NUMBER: a point may be a decimal point or a separator of thousands
	CodeLostDigits    = rowschema.CodeLostDigits    // LOST_DIGITS: a spreadsheet has rounded a long number
	CodeRowTooLarge   = rowschema.CodeRowTooLarge   // ROW_TOO_LARGE: the arguments exceed MaxParams
	CodeCanceled      = jobs.CodeCanceled           // CANCELED: the handler returned Cancel
	CodeSystem        = jobs.CodeSystem             // SYSTEM_ERROR: a system fault
	CodeCrashed       = jobs.CodeCrashed            // CRASHED: a row repeatedly crashes its process
	CodeKilled        = jobs.CodeKilled             // KILLED: an operator moved the row to the morgue
	CodeKeyStopped    = jobs.CodeStopped            // KEY_STOPPED: with StopKey, an earlier row of the key is in error
	CodeBrokenOff     = enqueue.CodeBrokenOff       // ROWS_BROKEN_OFF: the program ended the task before the last row
	ByTenant          = jobs.ByTenant               // AtOnce and Rate count per tenant
	MaxParams         = rowschema.MaxParams         // bytes of a job's arguments as JSON: 200 kB
	MaxKey            = rowschema.MaxKey            // bytes of an ordering key: 256
	MaxCheckpoint     = jobs.MaxCheckpoint          // bytes of a checkpoint as JSON: 64 kB
	MaxParts          = 10_000                      // parts of an export
)

// These are errors that callers may test for with errors.Is.
var (
	ErrUnknownKind    = enqueue.ErrUnknownKind                                     // the client's registry lacks the kind
	ErrNoClient       = enqueue.ErrNoClient                                        // there is no client, as in a handler of Definition.Call
	ErrOption         = enqueue.ErrOption                                          // the value of an option is invalid
	ErrUntracked      = jobs.ErrUntracked                                          // the kind is not tracked: its jobs have no record
	ErrCheckpointSize = jobs.ErrCheckpointSize                                     // the checkpoint is too large and was not saved: save a position, not the data
	ErrStale          = events.ErrStale                                            // another run replaced this one, and nothing was saved: the handler should stop
	ErrCanceled       = jobs.ErrCanceled                                           // cause of a handler's context when its task is being canceled
	ErrNotJoinable    = ledger.ErrNotJoinable                                      // EnqueueTx or Call.Once cannot use the transaction
	ErrInTx           = jobs.ErrInTx                                               // a DefineTx handler cannot save checkpoints
	ErrTxHeld         = jobs.ErrTxHeld                                             // a DefineTx handler held its transaction for too long
	ErrTxEnded        = jobs.ErrTxEnded                                            // the DefineTx handler has already returned
	ErrNoTx           = errors.New("the handler has no transaction of the ledger") // no transaction, as in Definition.Call
	ErrNoAddress      = errors.New("the address is missing")                       // Connect lacks the database or Redis
	ErrNoFiles        = errors.New("no storage for the files of an export")        // no store of files, as in a test of an export
	ErrDead           = errors.New("the job ended in a system fault")              // returned by Definition.Run for a job in error
)
