package review

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/worker"
)

// Correction is a file that a person has corrected.
type Correction struct {
	By     string
	Detail json.RawMessage // what the audit says of the file; JSON, may be empty
	DryRun bool            // only judge
	Anyway bool            // rows run even if a newer row of their key has finished
}

// Corrector decides about the rows of one corrected file.
type Corrector struct {
	desk *Desk
	task *tasks.Task
	how  Correction
	j    *Judge
	id   string // of the act, for Undo
}

// Verdict is what became of a row of a corrected file or, as a dry run, would. The row
// runs again if all is zero.
type Verdict struct {
	Late    bool            // something else changed the row meanwhile: it is as it was
	Newer   bool            // the row ends as superseded, for a newer row of its key has finished
	Refused bool            // the row cannot be kept, for Fault: it is as it was
	Fault   *events.Failure // what is wrong still: the row was changed, and does not run
}

// Corrector returns a corrector for the rows of a task.
func (d *Desk) Corrector(t *tasks.Task, how Correction) (*Corrector, error) {
	j, err := d.judgeOf(t, how.DryRun)
	if err != nil {
		return nil, err
	}
	j.anyway = how.Anyway
	return &Corrector{d, t, how, j, rand.Text()}, nil
}

// Apply writes new cells into rows, at most 1,000, in one transaction, and has those that
// are valid then run again. It returns one verdict for each row.
func (c *Corrector) Apply(ctx context.Context, list []Trial) ([]Verdict, error) {
	rulings, err := c.j.Hear(ctx, list)
	if err != nil {
		return nil, err
	}
	out := make([]Verdict, len(rulings))
	var decisions []events.Decision
	var at []int // which verdict each is for
	keys := map[events.ID]string{}
	for i := range rulings {
		r := &rulings[i]
		if out[i].Fault = r.Fault; r.Refused != nil {
			out[i] = Verdict{Refused: true, Fault: largeRow()}
			continue
		}
		if r.instead != nil && r.Fault == nil {
			out[i].Fault = yielded(r.instead)
		}
		d, _ := r.decision(wish{run: true})
		decisions, at = append(decisions, d), append(at, i)
		if d.Resolution == events.Resubmitted {
			keys[d.ID] = r.Key
		}
	}
	if err := c.overtaken(ctx, decisions, at, keys, out); err != nil {
		return nil, err
	}
	if c.how.DryRun {
		return out, nil
	}
	made, err := c.desk.events.Decide(ctx, events.Review{
		Num: c.task.Num, By: c.how.By, Detail: c.how.Detail, Rows: decisions, Keys: c.j.keyRule, Hashed: !c.j.kind.Unordered, Anyway: c.how.Anyway,
		Press: c.id, Act: "correct",
	})
	if err != nil {
		return nil, fmt.Errorf("review: corrections: %w", err)
	}
	for i := range made {
		out[at[i]].Late = !made[i]
	}
	return out, nil
}

// overtaken notes in the verdicts which rows a newer row of their key has superseded.
func (c *Corrector) overtaken(
	ctx context.Context, list []events.Decision, at []int, keys map[events.ID]string, out []Verdict,
) error {
	if c.how.Anyway {
		return nil
	}
	newer, err := c.desk.newer(ctx, c.task, c.j, keys)
	for i := range list {
		_, out[at[i]].Newer = newer[list[i].ID]
	}
	return err
}

// largeRow is the fault of a row that is too large to be kept. Cells that go by the names
// of params are refused for nothing else.
func largeRow() *events.Failure {
	return worker.Invalid([]events.Field{worker.Say(events.Field{Code: worker.CodeRowTooLarge},
		"row.large", "n", strconv.Itoa(worker.MaxParams>>10))})
}
