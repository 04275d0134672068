package events

import (
	"slices"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// columns are moves as the arguments of record.sql: one array for each column,
// an empty one where there is nothing to say.
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

// sparse is a column that is empty if it holds nothing but zero values.
func sparse[T comparable](moves []Move, of func(*Move) T) []T {
	var zero T
	for i := range moves {
		if of(&moves[i]) != zero {
			return ledger.Column(moves, of)
		}
	}
	return []T{}
}

// failure is that of the move, or an empty one.
func (m *Move) failure() *Failure {
	if m.Failure == nil {
		return &Failure{}
	}
	return m.Failure
}

// shape is what plain moves of one statement have in common.
type shape struct {
	from, to             Status
	fromAttempt, attempt int
}

// plain tells whether a move brings nothing but times, as most do.
func (m *Move) plain() bool {
	return m.Failure == nil && m.Result == nil && len(m.Notes) == 0 && m.NextRunAt == 0
}

// shapes sorts plain moves by their shape, and leaves the rest. A shape that is
// rare is not worth a statement of its own.
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

// plainColumns are the arguments of record_plain.sql.
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
