package decisions

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

var (
	//go:embed sql/decide_hold.sql
	decideHoldSQL string
	//go:embed sql/decide_read.sql
	decideReadSQL string
	//go:embed sql/decide.sql
	decideSQL string
	//go:embed sql/unblock.sql
	unblockSQL string
)

// write stores the decisions and their rows, and returns the stored decisions. The caller has locked the
// rows. write leaves out a decision if its row has another version, or if the change of status is not legal.
func write(ctx context.Context, tx ledger.Tx, list []decided) ([]decided, error) {
	if len(list) == 0 {
		return nil, nil
	}
	done, err := ledger.Bulk(ctx, tx, decideSQL, decideColumns(list))
	if err != nil {
		return nil, err
	}
	var written []decided
	for i := range done {
		if done[i] {
			written = append(written, list[i])
		}
	}
	return written, nil
}

func decideColumns(list []decided) ledger.Args {
	text := func(of func(*decided) string) []string { return ledger.Column(list, of) }
	return ledger.Args{
		"legal":       events.LegalMoves(),
		"ids":         ledger.Column(list, func(d *decided) int64 { return int64(d.ID) }),
		"versions":    ledger.Column(list, func(d *decided) int32 { return int32(d.Version) }),
		"status":      text(func(d *decided) string { return string(d.new.Status) }),
		"resolution":  text(func(d *decided) string { return string(*d.new.Resolution) }),
		"why":         text(func(d *decided) string { return textutil.Deref(d.new.ResolutionNote) }),
		"params":      text(func(d *decided) string { return events.StoredParams(d.new.Params) }),
		"key":         text(func(d *decided) string { return d.new.Key }),
		"code":        text(func(d *decided) string { return textutil.Deref(d.new.Code) }),
		"col":         text(func(d *decided) string { return textutil.Deref(d.new.Col) }),
		"value":       text(func(d *decided) string { return textutil.Deref(d.new.Value) }),
		"message":     text(func(d *decided) string { return textutil.Deref(d.new.Message) }),
		"hint":        text(func(d *decided) string { return textutil.Deref(d.new.Hint) }),
		"fields":      text(func(d *decided) string { return textutil.Deref(d.new.Fields) }),
		"note":        text(func(d *decided) string { return textutil.Deref(d.new.Messages) }),
		"print":       text(func(d *decided) string { return textutil.Deref(d.new.Print) }),
		"key_hash":    ledger.Column(list, func(d *decided) int64 { return d.new.KeyHash }),
		"actor":       text(func(d *decided) string { return textutil.Deref(d.new.ResolvedBy) }),
		"score":       ledger.Column(list, func(d *decided) int64 { return scoreOf(d.Score) }),
		"next_run_at": ledger.Column(list, func(d *decided) int64 { return textutil.Deref(d.new.NextRunAt) }),
		"decided":     ledger.Column(list, func(d *decided) int64 { return textutil.Deref(d.new.ResolvedAt) }),
	}
}

// text returns the message about a decision for the message log of the row. It contains no values of cells,
// because more users can read the message log than the audit log.
func (d *decided) text(by string) string {
	var said []string
	if d.Restore != nil {
		said = append(said, "undone")
	} else if columns := d.columns(); len(columns) > 0 {
		said = append(said, "repaired ("+strings.Join(columns, ", ")+")")
	}
	if d.Resolution == events.Resubmitted || len(said) == 0 {
		said = append(said, d.word())
	}
	text := fmt.Sprintf("%s by %s", strings.Join(said, " and "), by)
	if d.Note != "" {
		text += ": " + d.Note
	}
	return text
}

// note returns the note about a decision for the message log. It contains the facts that pages show in each
// language.
func (d *decided) note(by string) events.Note {
	var acts []string
	n := events.Note{
		At: d.now, Attempt: d.new.Attempt, Status: d.new.Status, Text: events.StorableText(d.text(by)),
		By: events.StorableText(by), Why: events.StorableText(d.Note),
	}
	if d.Restore != nil {
		acts = append(acts, "undo")
	} else if n.Columns = d.columns(); len(n.Columns) > 0 {
		acts = append(acts, "repair")
	}
	if d.Resolution == events.Resubmitted || len(acts) == 0 {
		acts = append(acts, string(d.Resolution))
	}
	n.Act = strings.Join(acts, "-")
	return n
}

// columns returns the columns that the decision edits, sorted.
func (d *decided) columns() []string {
	if d.Edit == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(d.Edit.After))
}

// word returns the word for a decision in the message log.
func (d *decided) word() string {
	if d.Resolution == events.Open || d.Resolution == events.Superseded {
		return "opened again"
	}
	return string(d.Resolution)
}

// noScore stands for the missing version of a row, also in decide.sql. It is less than all versions.
const noScore = math.MinInt64

// scoreOf returns a version, or noScore for nil.
func scoreOf(version *int64) int64 {
	if version == nil {
		return noScore
	}
	return *version
}
