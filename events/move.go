package events

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Move is one change of the status of an event. It is made only if the event has the status From
// and the attempt FromAttempt.
type Move struct {
	ID          ID
	TaskID      string // of the job; empty means that Record does not compare it
	Row         int    // row in the file, for the groups of errors
	From        Status
	FromAttempt int
	To          Status
	Attempt     int

	Failure    *Failure        // with Failed, Error, and Enqueue for a retry
	Result     json.RawMessage // kept if nil
	Notes      []Note          // added to the message log
	Forget     bool            // the run has used a checkpoint, to be deleted when the job comes to rest
	QueuedAt   int64           // unix ms; kept if 0
	StartedAt  int64           // unix ms; kept if 0
	FinishedAt int64           // unix ms; 0 while not at rest
	NextRunAt  int64           // unix ms; 0 unless it waits for a retry
	By         int32           // number of the process that ran the job; the same for all moves of one Record; 0 if none

	at         int    // index among the moves of the call, set by Record
	revoked    bool   // the re-run of the row was canceled, so it ends as failed instead of canceled
	print, why string // fingerprint and text of the fault that ends it, set by Record
}

func (m *Move) note() string { return NoteLines(m.Notes) }

// NoteLines returns notes in the form of the message log: one JSON object per line.
func NoteLines(notes []Note) string {
	var lines []byte
	for _, n := range notes {
		b, err := json.Marshal(n)
		if err != nil { // impossible: strings and numbers can always be encoded
			continue
		}
		lines = append(append(lines, b...), '\n')
	}
	return string(lines)
}

// end completes a move to Failed or Error. It adds the note about the end of the attempt, if the
// note is missing, and sets the fingerprint and the text of the fault.
func (m *Move) end() {
	if m.Failure == nil || !m.To.Bad() {
		return
	}
	if !slices.ContainsFunc(m.Notes, func(n Note) bool { return n.Ended != nil && n.Ended.Outcome == Outcome(m.To) }) {
		m.Notes = append(slices.Clip(m.Notes), Note{
			At: m.FinishedAt, Attempt: m.Attempt, Status: m.To,
			Ended: &Ending{
				Outcome: Outcome(m.To), QueuedAt: m.QueuedAt, StartedAt: m.StartedAt, Faults: m.Failure.List(),
			},
		})
	}
	m.print, m.why = m.fault()
}

// change is the effect of a move on the counts.
type change struct {
	num       int64
	task      string // id, or empty
	seq       int64
	row       int
	from, to  Status
	fromRetry bool
	toRetry   bool
	code, col string     // of the new failure
	print     string     // fingerprint of the fault
	why       string     // text of the fault
	res       Resolution // Superseded, or empty
	revoked   bool       // no listener is notified of the failure

	left *departed // the old failure that it removes
}

// superseded reports whether the move ends a row as superseded: the row did not run because another
// row of its key has finished.
func (m *Move) superseded() bool {
	return m.To == Failed && m.Failure != nil && m.Failure.Code == CodeSuperseded
}

func (m Move) change() change {
	c := change{
		num: m.ID.Num(), task: m.TaskID, seq: m.ID.Seq(), row: m.Row, from: m.From, to: m.To,
		fromRetry: m.From == Enqueue && m.FromAttempt > 0,
		toRetry:   m.To == Enqueue && m.Attempt > 0,
		revoked:   m.revoked,
	}
	if m.Failure != nil && m.To.Bad() {
		c.code, c.col, c.print, c.why = m.Failure.Code, m.Failure.Column, m.print, m.why
	}
	if m.superseded() {
		c.res = Superseded
	}
	return c
}

func (c *change) cause() cause { return cause{c.num, c.to, c.code, c.col, c.print} }

// transition is a change of status that the state machine allows, with the bounds of the change of
// the attempt number.
type transition struct {
	from, to    Status
	least, most int
}

// transitions is the complete list of allowed transitions, for Move.Legal and LegalMoves. The
// attempt number rises by 1 with the move to Working. If the start of a run was not recorded, the
// number rises with the move that records its end. The move after an interrupted run lowers the
// number again. A resubmission keeps the number, and the next run raises it.
var transitions = [...]transition{
	{Enqueue, Working, 1, 1},
	{Enqueue, Finish, 0, 1}, // 0: it ended without a run
	{Enqueue, Failed, 0, 1},
	{Enqueue, Error, 0, 1},
	{Enqueue, Canceled, 0, 0},
	{Enqueue, Enqueue, 1, 1}, // a retry after a short run
	{Working, Working, 1, 1}, // fences a run that was considered dead
	{Working, Finish, 0, 0},
	{Working, Failed, 0, 0},
	{Working, Error, 0, 0},
	{Working, Enqueue, -1, 0},
	{Failed, Enqueue, 0, 0},
	{Error, Enqueue, 0, 0},
	{Finish, Enqueue, 0, 0}, // a user runs it once more, for example after a bad deploy
}

// Legal reports whether the state machine allows the move. Record returns an error if one of its
// moves is illegal, which is a bug of the caller.
func (m Move) Legal() bool {
	for _, t := range transitions {
		by := m.Attempt - m.FromAttempt
		if t.from == m.From && t.to == m.To && t.least <= by && by <= t.most {
			return m.FromAttempt >= 0 && m.Attempt >= 0
		}
	}
	return false
}

// LegalMoves returns the transitions as the text @legal that SQL statements search:
// " enqueue>working1 … ".
func LegalMoves() string {
	var b strings.Builder
	for _, t := range transitions {
		for by := t.least; by <= t.most; by++ {
			fmt.Fprintf(&b, " %s>%s%d ", t.from, t.to, by)
		}
	}
	return b.String()
}
