package events

import (
	"context"
	_ "embed"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/prints.sql
var printsSQL string

// MaxPrints bounds the fingerprints of the faults of one task. Concurrent recorders may
// exceed it by a few.
const MaxPrints = 50

// OtherPrint is the fingerprint of all further faults of a task.
const OtherPrint = "other"

// others begins the text of a group with OtherPrint.
const others = "other faults, such as "

// bounded returns the moves with at most MaxPrints fingerprints for each task, so that the
// number of groups does not grow with the number of rows.
func bounded(ctx context.Context, tx ledger.Tx, moves []Move) ([]Move, error) {
	nums := faulty(moves)
	if len(nums) == 0 {
		return moves, nil
	}
	known, err := prints(ctx, tx, nums)
	if err != nil {
		return nil, err
	}
	moves = slices.Clone(moves) // the transaction may run again
	for i := range moves {
		if m := &moves[i]; m.print != "" && !known.admit(m.ID.Num(), m.print) {
			m.print, m.why = OtherPrint, storable(others+m.why, maxPrinted)
		}
	}
	return moves, nil
}

// faulty returns the numbers of the tasks whose moves end rows with a system fault.
func faulty(moves []Move) (nums []int64) {
	for i := range moves {
		if moves[i].print != "" {
			nums = append(nums, moves[i].ID.Num())
		}
	}
	slices.Sort(nums)
	return slices.Compact(nums)
}

// printed holds the fingerprints of tasks, by their number.
type printed map[int64]map[string]bool

// admit adds a fingerprint to the fingerprints of a task. It reports false if there is no room.
func (p printed) admit(num int64, print string) bool {
	of := p[num]
	if of == nil {
		of = map[string]bool{}
		p[num] = of
	}
	if !of[print] && len(of) >= MaxPrints {
		return false
	}
	of[print] = true
	return true
}

// prints reads the fingerprints that tasks already have.
func prints(ctx context.Context, tx ledger.Tx, nums []int64) (printed, error) {
	out := printed{}
	err := tx.Query(ctx, printsSQL, ledger.Args{"nums": nums}, func(scan ledger.Scan) error {
		var num int64
		var print string
		err := scan(&num, &print)
		if out[num] == nil {
			out[num] = map[string]bool{}
		}
		out[num][print] = true
		return err
	})
	return out, err
}

// volatile are the parts of a fault's text that differ from row to row: quoted texts,
// UUIDs, hexadecimal numbers and all other numbers.
var volatile = regexp.MustCompile("\"[^\"]*\"|'[^']*'|`[^`]*`|" +
	`\b[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}\b|\b0x[0-9a-fA-F]+\b|\b[0-9a-fA-F]*\d[0-9a-fA-F]*\b|\d+`)

// TypePanic is the type of a fault that was a panic.
const TypePanic = "panic"

// maxPrinted bounds the text that a fingerprint is made from, in bytes.
const maxPrinted = 500

// Fingerprint returns the same short text for system faults of one type whose texts
// differ only in numbers, ids and quoted values.
func Fingerprint(kind, text string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(kind + "\x00" + normal(text))) // a hash accepts all
	return fmt.Sprintf("%016x", h.Sum64())
}

// normal returns a text without its volatile parts.
func normal(text string) string {
	return volatile.ReplaceAllString(text[:min(len(text), 4*maxPrinted)], "#")
}

// fault returns the fingerprint of the system fault that a move ends its row with, and
// its type and text; both are empty for another move.
func (m *Move) fault() (print, text string) {
	if m.To != Error {
		return "", ""
	}
	for i := len(m.Notes) - 1; i >= 0; i-- {
		if n := &m.Notes[i]; n.Ended != nil && n.IsFault() {
			print = Fingerprint(n.Ended.Type, n.Text)
			return print, n.FaultText(print)
		}
	}
	return "", ""
}

// FaultText returns type and text of the fault of a note, as an example of the faults with a
// fingerprint.
func (n *Note) FaultText(print string) string {
	text := n.Text
	if n.Ended != nil {
		text = n.Ended.Type + ": " + text
	}
	if print == OtherPrint {
		text = others + text
	}
	return storable(text, maxPrinted)
}
