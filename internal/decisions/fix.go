package decisions

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/due_acts.sql
	dueActsSQL string
	//go:embed sql/run_act.sql
	runActSQL string
	//go:embed sql/fixes.sql
	fixesSQL string
	//go:embed sql/erase_fixes.sql
	eraseFixesSQL string
	//go:embed sql/acts.sql
	actsSQL string
)

// Fix holds texts that an act has replaced in a column. The field With maps each old text to its new
// text.
type Fix struct {
	Column string            `json:"column"`
	With   map[string]string `json:"with"`
}

func (f *Fix) json() string {
	if f == nil {
		return ""
	}
	b, _ := json.Marshal(f) // texts always encode
	return string(b)
}

// lane returns the tenant and the kind of the rows in which the texts were replaced, as one text. It
// returns "" if `f` is nil.
func (f *Fix) lane(l events.Lane) string {
	if f == nil {
		return ""
	}
	return l.Tenant + "/" + l.Kind
}

// Fixed returns the texts that the act has replaced, or nil if it has replaced none.
func (a *Act) Fixed() *Fix {
	var f Fix
	if a.Fix == "" || json.Unmarshal([]byte(a.Fix), &f) != nil {
		return nil
	}
	return &f
}

// MadeFix is a Fix with its time, in unix ms.
type MadeFix struct {
	Fix
	At int64
}

// mostFixes is the greatest number of acts that Fixes reads.
const mostFixes = 50

// Fixes returns the last replacements of texts by users in rows of a lane, newest first. It returns the
// replacements of at most 50 acts. It leaves out acts whose undo has begun.
func (s *Store) Fixes(ctx context.Context, l events.Lane) ([]MadeFix, error) {
	args := ledger.Args{"lane": l.Tenant + "/" + l.Kind, "most": mostFixes}
	out, err := ledger.List(ctx, s.db.Reader(), fixesSQL, args, func(scan ledger.Scan, f *MadeFix) error {
		var text string
		if err := scan(&f.At, &text); err != nil {
			return err
		}
		return json.Unmarshal([]byte(text), &f.Fix)
	})
	if err != nil {
		return nil, fmt.Errorf("decisions: fixes of %s %s: %w", l.Tenant, l.Kind, err)
	}
	return out, nil
}

// DueAct is an act whose rows must be resubmitted now, with the task of these rows.
type DueAct struct {
	Num            int64 // of the task
	TaskID, Tenant string
	ActID          string
}

// DueActs returns up to `most` acts whose rows must be resubmitted now. The act that has been due
// longest comes first.
func (s *Store) DueActs(ctx context.Context, most int) ([]DueAct, error) {
	args := ledger.Args{"now": s.now().UnixMilli(), "most": most}
	out, err := ledger.List(ctx, s.db.Reader(), dueActsSQL, args, func(scan ledger.Scan, d *DueAct) error {
		return scan(&d.Num, &d.TaskID, &d.Tenant, &d.ActID)
	})
	if err != nil {
		return nil, fmt.Errorf("decisions: due acts: %w", err)
	}
	return out, nil
}

// RunActAt sets the time at which the rows of an act are resubmitted, in unix ms; 0 means that they are
// not resubmitted automatically. It does not change an act whose undo has begun.
func (s *Store) RunActAt(ctx context.Context, num int64, id string, at int64) error {
	_, err := s.db.Writer().Exec(ctx, runActSQL, ledger.Args{"num": num, "id": id, "at": at})
	if err != nil {
		return fmt.Errorf("decisions: act %s: %w", id, err)
	}
	return nil
}

// Acts returns up to `limit` acts on rows of a task, newest first. The argument `num` is the number
// of the task.
func (s *Store) Acts(ctx context.Context, num int64, limit int) ([]Act, error) {
	args := ledger.Args{"num": num, "most": limit}
	out, err := ledger.List(ctx, s.db.Reader(), actsSQL, args, func(scan ledger.Scan, a *Act) error {
		return scan(a.dest()...)
	})
	if err != nil {
		return nil, fmt.Errorf("decisions: acts on task %d: %w", num, err)
	}
	return out, nil
}
