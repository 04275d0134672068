// Package audit stores the audit log. It records acts on tasks and rows, changes of API keys, and
// refused requests. It also records acts of operators and administrators, for example on queues, nodes,
// limits, webhooks, schedules, ordering keys, users and share links.
//
// All entries have the same form, and each subject has one list. Write adds entries in the
// transaction of the act. Entries of a task are deleted with the task, and Expire deletes other old
// entries. The removal of a tenant deletes the entries of its API keys and operators. The package
// does not check rights, and it does not mask cells.
package audit

import (
	"context"
	_ "embed"
	"fmt"
	"strconv"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/begin.sql
	beginSQL string
	//go:embed sql/finish.sql
	finishSQL string
)

// InProgress is the value of Entry.Touched until Finish is called. It means that the act is still running,
// or that its process has died.
const InProgress = -1

// Entry is one act.
type Entry struct {
	Num     int64  // grows with time; the cursor of a page
	At      int64  // unix ms
	Subject string // the list of the entry: a result of Task, Key, Operators or Owner
	Actor   string // the id of a key, a person, or "system"
	Act     string // such as pause, patch or rotate
	Target  string // the queue, node, tenant, webhook or key; empty for a task
	Seq     int64  // the row; 0 if the act concerns several rows, or none
	Touched int64  // number of changed rows or keys, or InProgress
	Detail  Detail
}

// Task returns the subject of acts on a task and its rows. The argument `num` is the number of the
// task.
func Task(num int64) string { return "task:" + strconv.FormatInt(num, 10) }

// Key returns the subject of changes of an API key.
func Key(id string) string { return "key:" + id }

// Operators returns the subject of acts by operators and administrators of a tenant, for example on queues,
// limits, API keys, schedules and links. Deletions of tasks and rows, and refused requests of the tenant,
// have the same subject.
func Operators(tenant string) string { return "ops:" + tenant }

// Owner returns the subject of acts of the owner of the service: acts on other tenants and their API keys,
// and changes of the owner's API keys. Refused requests with these API keys, and acts of operate.Tenants
// on any tenant, have the same subject.
func Owner() string { return Operators("") }

// columns lists the table columns for the results of Entry.values, in the same order.
var columns = []string{"subject", "at", "actor", "act", "target", "seq", "touched", "detail"}

func (e *Entry) values() []any {
	return []any{e.Subject, e.At, e.Actor, e.Act, e.Target, e.Seq, e.Touched, e.Detail.json()}
}

func (e *Entry) args() ledger.Args {
	args := ledger.Args{}
	for i, v := range e.values() {
		args[columns[i]] = v
	}
	return args
}

// Write adds entries about acts. The transaction `tx` must also contain these acts.
func Write(ctx context.Context, tx ledger.Tx, entries ...Entry) error {
	if len(entries) == 1 {
		_, err := tx.Exec(ctx, beginSQL, entries[0].args())
		return err
	}
	rows := make([][]any, len(entries))
	for i := range entries {
		rows[i] = entries[i].values()
	}
	return ledger.Insert(ctx, tx, "audit_log", columns, rows)
}

// Log is the audit log. It reads entries, and adds entries about acts that have no transaction. New makes a
// Log.
type Log struct {
	db  *ledger.DB
	now func() time.Time
}

// New returns the audit log in `db`. The caller keeps and closes `db`. If `now` is nil, the log
// uses time.Now.
func New(db *ledger.DB, now func() time.Time) *Log {
	if now == nil {
		now = time.Now
	}
	return &Log{db: db, now: now}
}

// Begin adds an entry with the current time, and returns the number of the entry. For an act that is
// still running, the caller must set Touched to InProgress, and call Finish when the act has ended.
func (l *Log) Begin(ctx context.Context, e Entry) (num int64, err error) {
	e.At = l.now().UnixMilli()
	if _, err = ledger.Row(ctx, l.db.Writer(), beginSQL, e.args(), &num); err != nil {
		return 0, fmt.Errorf("audit: begin %s of %q: %w", e.Act, e.Target, err)
	}
	return num, nil
}

// Finish sets the number of items that an act has changed. If `d` is empty, the entry keeps its earlier
// detail.
func (l *Log) Finish(ctx context.Context, num, touched int64, d Detail) error {
	_, err := l.db.Writer().Exec(ctx, finishSQL, ledger.Args{"num": num, "touched": touched, "detail": d.json()})
	if err != nil {
		return fmt.Errorf("audit: finish %d: %w", num, err)
	}
	return nil
}
