package events

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/decide_hold.sql
	decideHoldSQL string
	//go:embed sql/decide_read.sql
	decideReadSQL string
	//go:embed sql/decide_read_sqlite.sql
	decideReadSQLiteSQL string
	//go:embed sql/decide.sql
	decideSQL string
	//go:embed sql/decide_sqlite.sql
	decideSQLiteSQL string
	//go:embed sql/tally.sql
	tallySQL string
)

// write writes the rows, and returns those that were written.
func write(ctx context.Context, tx ledger.Tx, list []ruling, by string) ([]ruling, error) {
	if len(list) == 0 {
		return nil, nil
	}
	written := make(map[ID]bool, len(list))
	if lite, ok := tx.(ledger.Repeater); ok {
		rows := make([][]any, len(list))
		for i := range list {
			rows[i] = append(list[i].values(), by, list[i].now, legal())
		}
		touched, err := lite.Repeat(ctx, decideSQLiteSQL, rows)
		if err != nil {
			return nil, err
		}
		for i := range touched {
			written[list[i].ID] = touched[i]
		}
	} else {
		if _, err := tx.Exec(ctx, noLoopsSQL, nil); err != nil {
			return nil, err
		}
		err := tx.Query(ctx, decideSQL, decideColumns(list, by), func(scan ledger.Scan) error {
			var id ID
			err := scan(&id)
			written[id] = true
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(list, func(d ruling) bool { return !written[d.ID] }), nil
}

// values are a ruling as the arguments of decide_sqlite.sql.
func (d *ruling) values() []any {
	e := &d.new
	return []any{
		int64(d.ID), d.Version, string(e.Status), string(*e.Resolution), storable(d.Note, maxText),
		e.Params, e.Key, deref(e.Code), deref(e.Col), deref(e.Value), deref(e.Message), deref(e.Hint),
		deref(e.Fields), deref(e.Messages), e.KeyHash,
	}
}

// decideColumns are rulings as the arguments of decide.sql.
func decideColumns(list []ruling, by string) ledger.Args {
	names := []string{
		"ids", "versions", "status", "resolution", "why", "params", "key", "code", "col", "value",
		"message", "hint", "fields", "note",
	}
	ids, versions := make([]int64, len(list)), make([]int32, len(list))
	hashes := make([]int64, len(list))
	texts := make([][]string, len(names))
	for i := range list {
		ids[i], versions[i], hashes[i] = int64(list[i].ID), int32(list[i].Version), list[i].new.KeyHash
		for j, v := range list[i].values()[2:len(names)] {
			texts[j+2] = append(texts[j+2], v.(string))
		}
	}
	args := ledger.Args{
		"ids": ids, "versions": versions, "hashes": hashes, "by": by, "now": list[0].now, "legal": legal(),
	}
	for j, name := range names[2:] {
		args[name] = texts[j+2]
	}
	return args
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// cause is why the row is bad.
func (e *Event) cause() cause {
	return cause{e.ID.Num(), e.Status, deref(e.Code), deref(e.Col)}
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
		if was.grouped() {
			gone.add(from.cause(), from.Row, was)
		}
		if to.Status.Bad() && is.grouped() {
			come.add(to.cause(), to.Row, is)
		}
	}
	if err := same.run(ctx, tx, tallySQL); err != nil {
		return err
	}
	if err := regroup(ctx, tx, gone, come, map[int64]bool{num: true}); err != nil {
		return err
	}
	return by.count(ctx, tx)
}

// text is what the message log says of a decision. Values are left to the audit:
// the log is read by more people.
func (d *ruling) text(by string) string {
	var said []string
	if d.Edit != nil && len(d.Edit.After) > 0 {
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
	if d.Resolution == Open {
		return "opened again"
	}
	return string(d.Resolution)
}
