package events

import (
	"context"
	_ "embed"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

//go:embed sql/prints.sql
var printsSQL string

// MaxPrints is the maximum number of fingerprints of system faults of one task, besides OtherPrint.
// Concurrent processes may exceed it by a few.
const MaxPrints = 50

// OtherPrint is the fingerprint of further system faults of a task that already has MaxPrints
// fingerprints.
const OtherPrint = "other"

// others is the beginning of the text of an error group with the fingerprint OtherPrint.
const others = "other faults, such as "

// boundPrints returns moves with at most MaxPrints fingerprints per task. It replaces each further
// fingerprint by OtherPrint. This bounds the number of error groups of a task.
func boundPrints(ctx context.Context, tx ledger.Tx, moves []Move) ([]Move, error) {
	nums := faultyTasks(moves)
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

// faultyTasks returns the numbers of the tasks in which a move ends a row with a system fault.
func faultyTasks(moves []Move) (nums []int64) {
	for i := range moves {
		if moves[i].print != "" {
			nums = append(nums, moves[i].ID.Num())
		}
	}
	slices.Sort(nums)
	return slices.Compact(nums)
}

// printed holds the fingerprints that each task has, by the number of the task.
type printed map[int64]map[string]bool

// admit adds a fingerprint to a task, unless the task already has MaxPrints others. It reports
// whether the task now has the fingerprint.
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

// volatile matches the parts of a fault's text that may differ from row to row: quoted texts,
// UUIDs, hexadecimal numbers and all other numbers.
var volatile = regexp.MustCompile("\"[^\"]*\"|'[^']*'|`[^`]*`|" +
	`\b[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}\b|\b0x[0-9a-fA-F]+\b|\b[0-9a-fA-F]*\d[0-9a-fA-F]*\b|\d+`)

// These are the fault types of a panic, and of an error that is only a text.
const (
	TypePanic = "panic"
	typePlain = "error"
)

// WithoutPlainType returns the text of a fault without the type "error". Pages show the text beside a title
// such as “System error”, which would repeat the type.
func WithoutPlainType(fault string) string {
	if rest, ok := strings.CutPrefix(fault, others); ok {
		return others + strings.TrimPrefix(rest, typePlain+": ")
	}
	return strings.TrimPrefix(fault, typePlain+": ")
}

// maxPrinted is the limit in bytes to which the text of an error group is truncated. Fingerprint hashes
// at most the first 2,000 bytes of a fault's text.
const maxPrinted = 500

// Fingerprint returns a hash of a system fault. Faults of one type have the same fingerprint if the
// first 2,000 bytes of their texts differ only in numbers, ids and quoted values.
func Fingerprint(kind, text string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(kind + "\x00" + normal(text))) // never fails
	return fmt.Sprintf("%016x", h.Sum64())
}

// normal returns the beginning of a text with its volatile parts replaced by "#".
func normal(text string) string {
	return volatile.ReplaceAllString(text[:min(len(text), 4*maxPrinted)], "#")
}

// fault returns the fingerprint and the text of the system fault that ends the row. Both are empty if the
// row does not end with a system fault.
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

// FaultText returns the text of the error group with the given fingerprint, cut to maxPrinted bytes. It
// is the text of the note, after the type of the fault if the note has one. With OtherPrint, the text
// begins with the constant others.
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
