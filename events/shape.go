package events

import (
	"slices"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

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
