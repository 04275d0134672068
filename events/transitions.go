package events

import (
	"fmt"
	"strings"
)

// transition is a change of status that the state machine allows, and by how
// much the attempt may change with it.
type transition struct {
	from, to    Status
	least, most int
}

// transitions are all that there are: Move.Legal and the statements that move
// events read this list and know no other. An attempt is counted when a run
// begins, or with its end if that was written at once; an interrupted run
// gives it back. A resubmission leaves the attempt, and the next run raises it.
var transitions = [...]transition{
	{Enqueue, Working, 1, 1},
	{Enqueue, Finish, 0, 1}, // 0: it was settled without a run
	{Enqueue, Failed, 0, 1},
	{Enqueue, Error, 0, 1},
	{Enqueue, Canceled, 0, 0},
	{Enqueue, Enqueue, 1, 1}, // a retry after a short run
	{Working, Working, 1, 1}, // fences a run that was given up for dead
	{Working, Finish, 0, 0},
	{Working, Failed, 0, 0},
	{Working, Error, 0, 0},
	{Working, Enqueue, -1, 0},
	{Failed, Enqueue, 0, 0},
	{Error, Enqueue, 0, 0},
	{Finish, Enqueue, 0, 0}, // a person has it run once more, such as after a bad deploy
}

// Legal tells whether the state machine allows the move. Record refuses a
// group with an illegal one, as a programmer's mistake.
func (m Move) Legal() bool {
	for _, t := range transitions {
		by := m.Attempt - m.FromAttempt
		if t.from == m.From && t.to == m.To && t.least <= by && by <= t.most {
			return m.FromAttempt >= 0 && m.Attempt >= 0
		}
	}
	return false
}

// LegalMoves is the list as the statements read it: " enqueue>working1 … ".
func LegalMoves() string {
	var b strings.Builder
	for _, t := range transitions {
		for by := t.least; by <= t.most; by++ {
			fmt.Fprintf(&b, " %s>%s%d ", t.from, t.to, by)
		}
	}
	return b.String()
}
