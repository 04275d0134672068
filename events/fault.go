package events

import (
	"fmt"
	"hash/fnv"
	"regexp"
)

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

// normal is a text without its volatile parts.
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
