package importers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// These are the codes that an import gives to rows whose key also occurs in another row of the same file.
const (
	// CodeDuplicateKey means that a row is invalid because an earlier row has its key.
	CodeDuplicateKey = events.CodeDuplicateKey
	// CodeSuperseded means that a row ends without a run because another row of its key replaces
	// it.
	CodeSuperseded = events.CodeSuperseded
)

// policy is the rule that selects which rows of each key run. Except for KeepAll, the reader applies the
// rule to every row of the file in order, even to rows that are already in the ledger. A second reading
// of the file therefore selects the same rows.
type policy struct {
	which  string // one of the values of Options.Duplicates
	column string // name of the key in faults
	taskID string
	keys   *keyIndex
	scores map[keyHash]int64 // greatest versions by key, for Latest of a kind with versions
}

func newPolicy(which, column, taskID string) *policy {
	return &policy{which: which, column: column, taskID: taskID, keys: newKeyIndex()}
}

// passThrough reports whether the policy changes no row, so that the caller can skip it.
func (p *policy) passThrough() bool { return p.which == "" || p.which == KeepAll }

// preload reads the whole file and stores the newest row of each key: the last valid row with the
// greatest version. If the file is damaged or invalid, preload uses the rows before the fault and
// returns nil. The next reading of the file returns the *tabular.Problem.
func (p *policy) preload(ctx context.Context, rows stream) error {
	for seq := int64(1); ; seq++ {
		err := rows.next()
		var file *tabular.Problem
		if err == io.EOF || errors.As(err, &file) {
			return nil
		}
		if err == nil && seq%checkEvery == 0 {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if d := rows.draft(); d.Key != "" && d.Failure == nil && p.isNewest(d) {
			p.keys.at[p.keys.hash(d.Key)] = rowPosition{row: uint32(d.Row), seq: uint32(seq)}
		}
	}
}

// isNewest reports whether a row replaces the earlier rows of its key. It returns false if an earlier row
// has a higher version, and otherwise stores the version of the row. A row without a version replaces all
// earlier rows.
func (p *policy) isNewest(d events.Draft) bool {
	if d.Score == nil {
		return true
	}
	h := p.keys.hash(d.Key)
	if best, known := p.scores[h]; known && *d.Score < best {
		return false
	}
	if p.scores == nil {
		p.scores = map[keyHash]int64{}
	}
	p.scores[h] = *d.Score
	return true
}

// apply applies the rule to the row with the given seq. With the policy Refuse, apply adds a failure to
// a row that must not run. With other policies, it marks the row as superseded.
func (p *policy) apply(d *events.Draft, seq int64) {
	here := rowPosition{row: uint32(d.Row), seq: uint32(seq)}
	switch {
	case p.passThrough() || d.Key == "":
	case p.which == Refuse:
		if p.broken(*d) {
			return // the cell does not hold a valid key
		}
		if first, known := p.keys.add(d.Key, here); known {
			d.Failure = duplicated(*d, p.column, first)
		}
	case d.Failure != nil: // invalid rows do not take part
	case p.which == Latest:
		if last := p.keys.at[p.keys.hash(d.Key)]; last.seq != here.seq {
			d.Instead = p.superseded(last)
		}
	case p.which == First:
		if first, known := p.keys.add(d.Key, here); known {
			d.Instead = p.superseded(first)
		}
	}
}

// broken reports whether the key cell of a row has a fault, so that the key of the row is unknown.
func (p *policy) broken(d events.Draft) bool {
	return d.Failure != nil && slices.ContainsFunc(d.Failure.Fields,
		func(f events.Field) bool { return f.Column == p.column })
}

// duplicated returns the failure of a row whose key also occurs in an earlier row. The argument
// `first` is the position of the earlier row.
func duplicated(d events.Draft, column string, first rowPosition) *events.Failure {
	fault := rowschema.Say(events.Field{Column: column, Value: textutil.Truncate(d.Key, tabular.MaxQuoted), Code: CodeDuplicateKey},
		"row.duplicate", "n", strconv.Itoa(int(first.row)))
	if d.Failure == nil {
		return rowschema.Invalid([]events.Field{fault})
	}
	return rowschema.Invalid(append(slices.Clone(d.Failure.Fields), fault))
}

// superseded returns the reference to `by`, the row that runs instead of a superseded row.
func (p *policy) superseded(by rowPosition) *events.Replacement {
	f := rowschema.Say(events.Field{Code: CodeSuperseded}, "row.superseded", "n", strconv.Itoa(int(by.row)))
	return &events.Replacement{
		Failure: &events.Failure{Code: f.Code, Message: f.Message, Args: f.Args},
		Result:  fmt.Appendf(nil, `{"superseded_by":"%s.%d","row":%d}`, p.taskID, by.seq, by.row),
	}
}
