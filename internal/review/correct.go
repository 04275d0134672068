package review

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/decisions"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/tasks"
)

// Correction holds the options of a Corrector, which changes rows as a user has corrected them in a
// file.
type Correction struct {
	By     string
	Detail json.RawMessage // detail for the audit log, in JSON; may be empty
	DryRun bool            // only validate
	Anyway bool            // rows run even if a newer row of their key has finished
}

// Corrector holds the task and the options of one corrected file. Apply changes the rows.
type Corrector struct {
	reviewer *Reviewer
	task     *tasks.Task
	how      Correction
	j        *Validator
	id       string // of the act, for Undo
}

// CorrectionResult is the result for a row of a corrected file; for a dry run, the expected result. The zero
// value means that the row runs again.
type CorrectionResult struct {
	Late    bool            // the row has changed meanwhile, and Apply left it unchanged
	Newer   bool            // the row ends as superseded, since a newer row of its key has finished
	Refused bool            // the row cannot be stored because of Fault, and was left unchanged
	Fault   *events.Failure // the remaining fault: the row was changed, and does not run
}

// Corrector returns a corrector for the rows of a task.
func (d *Reviewer) Corrector(t *tasks.Task, how Correction) (*Corrector, error) {
	j, err := d.validatorOf(t, how.DryRun)
	if err != nil {
		return nil, err
	}
	j.anyway = how.Anyway
	return &Corrector{d, t, how, j, rand.Text()}, nil
}

// Apply writes new cells into the rows of a list, in one transaction, and runs the valid rows again. The
// caller passes at most 1,000 rows. Apply returns a result for each row. A dry run changes no row.
func (c *Corrector) Apply(ctx context.Context, list []RowChange) ([]CorrectionResult, error) {
	validated, err := c.j.Validate(ctx, list)
	if err != nil {
		return nil, err
	}
	out := make([]CorrectionResult, len(validated))
	var chosen []decisions.Decision
	var at []int // index of the result of each decision in `chosen`
	keys := map[events.ID]string{}
	for i := range validated {
		r := &validated[i]
		if out[i].Fault = r.Fault; r.Refused != nil {
			out[i] = CorrectionResult{Refused: true, Fault: largeRow()}
			continue
		}
		if r.instead != nil && r.Fault == nil {
			out[i].Fault = yielded(r.instead)
		}
		d, _ := r.decision(intent{run: true})
		chosen, at = append(chosen, d), append(at, i)
		if d.Resolution == events.Resubmitted {
			keys[d.ID] = r.Key
		}
	}
	if err := c.markNewer(ctx, chosen, at, keys, out); err != nil {
		return nil, err
	}
	if c.how.DryRun {
		return out, nil
	}
	made, err := c.reviewer.decisions.Decide(ctx, decisions.Review{
		Num: c.task.Num, By: c.how.By, Detail: c.how.Detail, Rows: chosen, Keys: c.j.keyRule, Hashed: !c.j.kind.Unordered, Anyway: c.how.Anyway,
		ActID: c.id, Act: "correct",
	})
	if err != nil {
		return nil, fmt.Errorf("review: corrections: %w", err)
	}
	for i := range made {
		out[at[i]].Late = !made[i]
	}
	return out, nil
}

// markNewer sets CorrectionResult.Newer for rows that a newer row of their key has superseded.
func (c *Corrector) markNewer(
	ctx context.Context, list []decisions.Decision, at []int, keys map[events.ID]string, out []CorrectionResult,
) error {
	if c.how.Anyway {
		return nil
	}
	newer, err := c.reviewer.newer(ctx, c.task, c.j, list, keys)
	for i := range list {
		_, out[at[i]].Newer = newer[list[i].ID]
	}
	return err
}

// largeRow returns the fault of a row with params of more than rowschema.MaxParams bytes. Cells of a
// corrected file are rejected only for this fault, because their columns are already converted to names in
// params.
func largeRow() *events.Failure {
	return rowschema.Invalid([]events.Field{rowschema.Say(events.Field{Code: rowschema.CodeRowTooLarge},
		"row.large", "n", strconv.Itoa(rowschema.MaxParams>>10))})
}
