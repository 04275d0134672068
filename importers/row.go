package importers

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/worker"
)

// Row is one row of a file. The next call to Next reuses Cells; the texts in
// them are the caller's to keep, and a text that is kept keeps its whole row.
type Row struct {
	// Number is the row as the person sees it, from 1: the row of the sheet,
	// or the line of the text file where the record starts.
	Number int
	// Width is how many cells the file gives the row, empty ones at the end
	// included: it tells a ragged record from one with empty cells.
	Width int
	// Cells reaches up to the last cell that is not empty. It may be shorter
	// or longer than the header.
	Cells []Cell
	// Beyond is the last column, from 1, with a value right of Limits.Columns; 0
	// if there is none. Cells does not hold what stands there.
	Beyond int
}

// Cell is one value of a row, as text.
type Cell struct {
	// Text is the value. In a cell with a Code it is what can be shown and
	// stored: characters that cannot be are replaced by U+FFFD, and a text
	// that is too long is cut to Limits.CellChars.
	Text string
	// Code is empty, or one of the codes of a cell: the value cannot be used.
	Code string
	// Detail says in plain words what is wrong, empty without a Code.
	Detail string
	// Args are what Detail was made from.
	Args events.Args
	// Plain tells that the file holds a number, date or truth value, and no
	// text: Text is it in the one form that has no locale.
	Plain bool
}

// blank tells whether a person sees nothing in the row.
func (r Row) blank() bool {
	for _, c := range r.Cells {
		if c.Code != "" || trimHeading(c.Text) != "" {
			return false
		}
	}
	return r.Beyond == 0
}

// span is where a cell lies in the text of its row.
type span struct {
	from, to int32
	note     int32 // 1 + place in notes; 0 for a cell that can be used
	plain    bool
}

// note is why a cell cannot be used.
type note struct {
	code, detail string
	args         events.Args
}

// notef says it in a sentence of Rollcall's: key and pairs are those of
// worker.Say.
func notef(code, key string, pairs ...string) note {
	f := worker.Say(events.Field{}, key, pairs...)
	return note{code, f.Message, f.Args}
}

// rowBuilder gathers the cells of one row. All its texts become one string.
type rowBuilder struct {
	chars  int
	text   []byte
	spans  []span
	notes  []note
	cells  []Cell
	beyond int // see Row.Beyond
}

func (b *rowBuilder) reset() {
	b.text = b.text[:0]
	b.spans = b.spans[:0]
	b.notes = b.notes[:0]
	b.beyond = 0
}

// putPlain is put for what the file holds as a number, date or truth value.
func (b *rowBuilder) putPlain(col, from int) {
	b.put(col, from)
	b.spans[col].plain = true
}

// put makes b.text[from:] the cell of column col, from 0.
func (b *rowBuilder) put(col, from int) {
	for len(b.spans) <= col {
		b.spans = append(b.spans, span{})
	}
	b.spans[col] = span{from: int32(from), to: int32(len(b.text))}
}

// refuse is put for a cell that cannot be used.
func (b *rowBuilder) refuse(col, from int, n note) {
	b.put(col, from)
	b.notes = append(b.notes, n)
	b.spans[col].note = int32(len(b.notes))
}

// putText is put for text of any content: it is checked first.
func (b *rowBuilder) putText(col, from int) {
	if n := b.vet(from); n.code != "" {
		b.refuse(col, from, n)
		return
	}
	b.put(col, from)
}

// vet says what is wrong with the text from b.text[from] on, and mends it so
// far that it can be shown.
func (b *rowBuilder) vet(from int) note {
	var n note
	text := b.text[from:]
	ctl, high := -1, false
	for i, c := range text {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' {
			ctl = i
		}
		high = high || c >= utf8.RuneSelf
	}
	switch {
	case high && !utf8.Valid(text):
		n = notef(CodeInvalidEncoding, "cell.encoding", "n", strconv.Itoa(invalidAt(text)+1))
	case ctl >= 0:
		n = notef(CodeInvalidCharacter, "cell.control", "n", strconv.Itoa(int(text[ctl])))
	case len(text) > b.chars && utf8.RuneCount(text) > b.chars:
		n = notef(CodeTooLong, "cell.long", "n", strconv.Itoa(b.chars))
	default:
		return n
	}
	b.text = append(b.text[:from], showable(text, b.chars)...)
	return n
}

// invalidAt is the place of the first byte that is no UTF-8.
func invalidAt(text []byte) int {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(text)
}

// showable returns a copy that can be stored, cut to a number of characters.
func showable(text []byte, chars int) string {
	text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	n := 0
	return strings.Map(func(r rune) rune {
		n++
		switch {
		case n > chars:
			return -1
		case r < ' ' && r != '\t' && r != '\n' && r != '\r':
			return utf8.RuneError
		}
		return r
	}, string(text))
}

// row returns what was put since reset.
func (b *rowBuilder) row(number, width int) Row {
	text := string(b.text)
	for len(b.cells) < len(b.spans) {
		b.cells = append(b.cells, Cell{})
	}
	used := 0
	for i, s := range b.spans {
		c := &b.cells[i]
		c.Text = text[s.from:s.to]
		c.Plain = s.plain
		if s.note > 0 {
			n := b.notes[s.note-1]
			c.Code, c.Detail, c.Args = n.code, n.detail, n.args
		} else if c.Code != "" {
			c.Code, c.Detail, c.Args = "", "", ""
		}
		if s.to > s.from || s.note > 0 {
			used = i + 1
		}
	}
	return Row{Number: number, Width: max(width, used), Cells: b.cells[:used], Beyond: b.beyond}
}
