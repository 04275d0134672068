package events

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/rollcall-dev/rollcall/internal/feedrow"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// seal records that the total of a task is final. If the column hold of the task is set, seal releases
// the rows, pauses the task, or cancels the task. It ends a task that has no work left.
func (s *Store) seal(ctx context.Context, tx ledger.Tx, c Chunk) error {
	args := ledger.Args{"num": c.Num, "problem": nil, "warnings": nil}
	for name, v := range map[string]any{"problem": c.Problem, "warnings": c.Warnings} {
		b, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if string(b) != "null" {
			args[name] = string(b)
		}
	}
	t := sealed{broken: c.Problem != nil}
	_, err := ledger.Row(ctx, tx, finalizeSQL, args, &t.hold, &t.failed, &t.enqueue, &t.total, &t.canceling)
	if err != nil {
		return err
	}
	if err := s.applyHold(ctx, tx, c.Num, t); err != nil {
		return err
	}
	if err := feedrow.Place(ctx, tx, s.now(), c.Num); err != nil {
		return err
	}
	return s.Complete(ctx, tx, c.Num)
}

//go:embed sql/release_hold.sql
var releaseHoldSQL string

// CodeRowsInvalid is the code of the problem of a task whose rows do not run because some of them
// are invalid.
const CodeRowsInvalid = "ROWS_INVALID"

// These are the values of column hold of a task, which determines until when no row of the task runs.
// Package tasks has the same constants.
const (
	holdBlock   = "block"          // until the file is read; with an invalid row, until a user resumes the task
	holdAll     = "all_or_nothing" // until the file is read without an invalid row
	holdRefused = "refused"        // for good: the rows are being canceled
)

// sealed holds the values of a task that decide about its hold after the last chunk.
type sealed struct {
	hold      string
	failed    int64
	enqueue   int64
	total     int64
	canceling bool
	broken    bool // the file could not be read to its end
}

// applyHold decides about the rows of a task whose column hold is set. It releases the rows, pauses the
// task, or cancels the task. It runs in the transaction of seal.
func (s *Store) applyHold(ctx context.Context, tx ledger.Tx, num int64, t sealed) error {
	if t.hold == "" || t.canceling {
		return nil
	}
	args := ledger.Args{"num": num, "hold": "", "status": "", "problem": nil}
	switch {
	case t.broken || t.hold == holdAll && t.failed > 0:
		args["hold"], args["status"] = holdRefused, "canceling"
		args["problem"] = t.invalid("so none was run. Correct them and import the file again.")
	case t.failed > 0 && t.enqueue > 0:
		args["hold"], args["status"] = holdBlock, "paused"
		args["problem"] = t.invalid("and none has run yet. Look at them, then resume the task to run " +
			"the others, or cancel it.")
	}
	_, err := tx.Exec(ctx, releaseHoldSQL, args)
	return err
}

// invalid returns, as JSON, the problem of a task with invalid rows. Its detail ends with the
// argument `ending`.
func (t sealed) invalid(ending string) string {
	b, err := json.Marshal(map[string]string{
		"code":   CodeRowsInvalid,
		"detail": fmt.Sprintf("%d of %d rows of the file are invalid, %s", t.failed, t.total, ending),
	})
	if err != nil { // impossible: strings can always be encoded
		return "{}"
	}
	return string(b)
}
