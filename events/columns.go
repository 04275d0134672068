package events

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/failpoint"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/textutil"
)

// columns returns moves as the arguments of record.sql: one array for each column, and the values
// that all moves share. The array of an optional column is empty if all its values are zero.
func columns(moves []Move) ledger.Args {
	text := func(of func(*Failure) string) []string {
		return sparse(moves, func(m *Move) string { return of(m.failure()) })
	}
	return ledger.Args{
		"ids":          ledger.Column(moves, func(m *Move) int64 { return int64(m.ID) }),
		"from_status":  ledger.Column(moves, func(m *Move) string { return string(m.From) }),
		"from_attempt": ledger.Column(moves, func(m *Move) int16 { return int16(m.FromAttempt) }),
		"status":       ledger.Column(moves, func(m *Move) string { return string(m.To) }),
		"attempt":      ledger.Column(moves, func(m *Move) int16 { return int16(m.Attempt) }),
		"legal":        LegalMoves(),
		"by":           moves[0].By,
		"print":        sparse(moves, func(m *Move) string { return m.print }),
		"code":         text(func(f *Failure) string { return f.Code }),
		"col":          text(func(f *Failure) string { return f.Column }),
		"value":        text(func(f *Failure) string { return f.Value }),
		"message":      text(func(f *Failure) string { return f.Message }),
		"hint":         text(func(f *Failure) string { return f.Hint }),
		"fields":       text((*Failure).FieldsJSON),
		"result":       sparse(moves, func(m *Move) string { return string(m.Result) }),
		"note":         sparse(moves, (*Move).note),
		"queued_at":    sparse(moves, func(m *Move) int64 { return m.QueuedAt }),
		"started_at":   sparse(moves, func(m *Move) int64 { return m.StartedAt }),
		"finished_at":  sparse(moves, func(m *Move) int64 { return m.FinishedAt }),
		"next_run_at":  sparse(moves, func(m *Move) int64 { return m.NextRunAt }),
	}
}

// sparse returns a column of values, or an empty column if all values are zero.
func sparse[T comparable](moves []Move, of func(*Move) T) []T {
	var zero T
	for i := range moves {
		if of(&moves[i]) != zero {
			return ledger.Column(moves, of)
		}
	}
	return []T{}
}

func (m *Move) failure() *Failure {
	if m.Failure == nil {
		return &Failure{}
	}
	return m.Failure
}

// shape holds the statuses and attempt numbers that the moves of one statement share.
type shape struct {
	from, to             Status
	fromAttempt, attempt int
}

// plain reports whether a move sets no failure, result, notes or time of a retry. Most moves are
// plain.
func (m *Move) plain() bool {
	return m.Failure == nil && m.Result == nil && len(m.Notes) == 0 && m.NextRunAt == 0
}

// shapes groups plain moves by their shape, for one statement per group. The result `rest` holds the
// other moves, and the plain moves of groups with fewer than 16 moves.
func shapes(moves []Move) (plain [][]Move, rest []Move) {
	const rare = 16
	groups := map[shape][]Move{}
	for i := range moves {
		m := &moves[i]
		if !m.plain() {
			rest = append(rest, *m)
			continue
		}
		k := shape{m.From, m.To, m.FromAttempt, m.Attempt}
		if groups[k] == nil {
			groups[k] = make([]Move, 0, len(moves)-i)
		}
		groups[k] = append(groups[k], *m)
	}
	for _, group := range groups {
		if len(group) < rare {
			rest = append(rest, group...)
			continue
		}
		plain = append(plain, slices.Clip(group))
	}
	return plain, rest
}

func plainColumns(moves []Move) ledger.Args {
	m := moves[0]
	return ledger.Args{
		"ids":         ledger.Column(moves, func(m *Move) int64 { return int64(m.ID) }),
		"queued_at":   sparse(moves, func(m *Move) int64 { return m.QueuedAt }),
		"started_at":  sparse(moves, func(m *Move) int64 { return m.StartedAt }),
		"finished_at": sparse(moves, func(m *Move) int64 { return m.FinishedAt }),
		"from_status": string(m.From), "from_attempt": m.FromAttempt,
		"status": string(m.To), "attempt": m.Attempt, "legal": LegalMoves(), "by": m.By,
	}
}

// insert adds the rows of a chunk to table events. The argument `base` is the number of rows that the task
// already has.
func (s *Store) insert(ctx context.Context, tx ledger.Tx, c Chunk, lane Lane, base int64) error {
	if len(c.Rows) == 0 {
		return nil
	}
	failpoint.Hit("copying")
	defer failpoint.Hit("copied")
	rows, width := make([][]any, len(c.Rows)), len(goodColumns)
	for i, r := range c.Rows {
		rows[i] = s.values(NewID(c.Num, base+int64(i)+1), lane, r)
		rows[i][4] = c.names.Stored(rows[i][4].(string))
		width = max(width, len(rows[i]))
	}
	for i := range rows {
		rows[i] = append(rows[i], make([]any, width-len(rows[i]))...)
	}
	return ledger.Insert(ctx, tx, "events", insertColumns[:width], rows)
}

// insertColumns lists the columns of an added row. Most valid rows need only goodColumns.
var (
	goodColumns   = []string{"id", "row", "key", "status", "params", "key_hash"}
	insertColumns = append(goodColumns[:6:6],
		"next_run_at", "score", "code", "col", "value", "message", "hint", "fields", "result", "finished_at", "resolution")
)

// values returns the values of a row in the order of insertColumns, without the trailing nulls of
// most valid rows.
func (s *Store) values(id ID, lane Lane, r Draft) []any {
	out := []any{int64(id), r.Row, r.Key, string(Enqueue), string(r.Params), lane.Hash(r.Key)}
	f := r.Failure
	if f == nil && r.Instead != nil {
		f = r.Instead.Failure
	}
	switch {
	case f != nil:
	case r.Score != nil:
		return append(out, textutil.Optional(r.RunAt), *r.Score)
	case r.RunAt != 0:
		return append(out, r.RunAt)
	default:
		return out
	}
	out = append(out, make([]any, len(insertColumns)-len(out))...)
	if r.Failure == nil {
		out[14], out[16] = textutil.Optional(string(r.Instead.Result)), string(Superseded)
	}
	if r.Score != nil {
		out[7] = *r.Score
	}
	out[3], out[15] = string(Failed), s.now().UnixMilli()
	copy(out[8:14], []any{
		textutil.Optional(f.Code), textutil.Optional(f.Column), textutil.Optional(f.Value),
		textutil.Optional(f.Message), textutil.Optional(f.Hint), textutil.Optional(f.FieldsJSON()),
	})
	return out
}

// FieldsJSON returns the faults as JSON, or "" if the other columns of the event hold the whole
// failure.
func (f *Failure) FieldsJSON() string {
	list := f.Fields
	if len(list) < 2 {
		if f.Args == "" {
			return ""
		}
		list = []Field{f.field()}
	}
	b, err := json.Marshal(list)
	if err != nil { // impossible: strings can always be encoded
		return ""
	}
	return string(b)
}
