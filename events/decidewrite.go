package events

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

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
	//go:embed sql/tally.sql
	tallySQL string
)

// write writes the rows, and returns those that were written.
func write(ctx context.Context, tx ledger.Tx, list []ruling) ([]ruling, error) {
	if len(list) == 0 {
		return nil, nil
	}
	done, err := ledger.Bulk(ctx, tx, decideSQL, decideColumns(list))
	if err != nil {
		return nil, err
	}
	var written []ruling
	for i := range done {
		if done[i] {
			written = append(written, list[i])
		}
	}
	return written, nil
}

// decideColumns are rulings as the arguments of decide.sql.
func decideColumns(list []ruling) ledger.Args {
	text := func(of func(*ruling) string) []string { return column(list, of) }
	return ledger.Args{
		"legal":      legal(),
		"ids":        column(list, func(d *ruling) int64 { return int64(d.ID) }),
		"versions":   column(list, func(d *ruling) int32 { return int32(d.Version) }),
		"status":     text(func(d *ruling) string { return string(d.new.Status) }),
		"resolution": text(func(d *ruling) string { return string(*d.new.Resolution) }),
		"why":        text(func(d *ruling) string { return textutil.Deref(d.new.ResolutionNote) }),
		"params":     text(func(d *ruling) string { return names(nil).stored(d.new.Params) }),
		"key":        text(func(d *ruling) string { return d.new.Key }),
		"code":       text(func(d *ruling) string { return textutil.Deref(d.new.Code) }),
		"col":        text(func(d *ruling) string { return textutil.Deref(d.new.Col) }),
		"value":      text(func(d *ruling) string { return textutil.Deref(d.new.Value) }),
		"message":    text(func(d *ruling) string { return textutil.Deref(d.new.Message) }),
		"hint":       text(func(d *ruling) string { return textutil.Deref(d.new.Hint) }),
		"fields":     text(func(d *ruling) string { return textutil.Deref(d.new.Fields) }),
		"note":       text(func(d *ruling) string { return textutil.Deref(d.new.Messages) }),
		"print":      text(func(d *ruling) string { return textutil.Deref(d.new.Print) }),
		"key_hash":   column(list, func(d *ruling) int64 { return d.new.KeyHash }),
		"actor":      text(func(d *ruling) string { return textutil.Deref(d.new.ResolvedBy) }),
		"decided":    column(list, func(d *ruling) int64 { return textutil.Deref(d.new.ResolvedAt) }),
	}
}

// cause is why the row is bad.
func (e *Event) cause() cause {
	return cause{e.ID.Num(), e.Status, textutil.Deref(e.Code), textutil.Deref(e.Col), textutil.Deref(e.Print)}
}

func (e *Event) resolution() Resolution {
	if e.Resolution == nil {
		return ""
	}
	return *e.Resolution
}

// shift counts the rows by cause, and those that are skipped.
func shift(ctx context.Context, tx ledger.Tx, num int64, list []ruling) error {
	gone, come, same, by := bunches{}, bunches{}, bunches{}, resolved{}
	for i := range list {
		from, to := &list[i].old, &list[i].new
		is, was := to.resolution(), from.resolution()
		by.move(num, was, is)
		if from.cause() == to.cause() && is.grouped() == was.grouped() {
			if is != was && is.grouped() {
				n := same[from.cause()]
				n.fixed += is.counts(Fixed) - was.counts(Fixed)
				n.skipped += is.counts(Skipped) - was.counts(Skipped)
				same[from.cause()] = n
			}
			continue
		}
		if from.Status.Bad() && was.grouped() {
			gone.add(from.cause(), from.Row, was)
		}
		if to.Status.Bad() && is.grouped() {
			come.add(to.cause(), to.Row, is)
		}
	}
	if err := same.run(ctx, tx, tallySQL); err != nil {
		return err
	}
	if err := regroup(ctx, tx, gone, come); err != nil {
		return err
	}
	return by.count(ctx, tx)
}

// text is what the message log says of a decision. Values are left to the audit:
// the log is read by more people.
func (d *ruling) text(by string) string {
	var said []string
	if d.Restore != nil {
		said = append(said, "undone")
	} else if d.Edit != nil && len(d.Edit.After) > 0 {
		said = append(said, "repaired ("+strings.Join(slices.Sorted(maps.Keys(d.Edit.After)), ", ")+")")
	}
	if d.Resolution == Resubmitted || len(said) == 0 {
		said = append(said, d.word())
	}
	text := fmt.Sprintf("%s by %s", strings.Join(said, " and "), by)
	if d.Note != "" {
		text += ": " + d.Note
	}
	return text
}

// word is what was decided, in the log.
func (d *ruling) word() string {
	if d.Resolution == Open || d.Resolution == Superseded {
		return "opened again"
	}
	return string(d.Resolution)
}
