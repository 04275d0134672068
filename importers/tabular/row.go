package tabular

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Row is one row of a file. A reader reuses Cells for its next row. The caller may keep the texts of cells,
// but each kept text keeps the texts of its whole row in memory.
type Row struct {
	// Number is the row as users see it, from 1. It is the row of the sheet, or the line of
	// the text file where the record starts.
	Number int
	// Width is the number of cells of the row in the file, including empty cells at the end. It
	// distinguishes a record with missing cells from a record with empty cells.
	Width int
	// Cells ends with the last cell that is not empty. It may be shorter or longer than the header.
	Cells []Cell
	// Beyond is the number of the last column with a value, counted from 1, if it is greater than
	// Limits.Columns. Otherwise it is 0. Cells does not contain values right of Limits.Columns.
	Beyond int
}

// Cell is one value of a row, as text.
type Cell struct {
	// Text is the value. In a cell with a Code, U+FFFD replaces characters that cannot be stored,
	// and a text that is too long is cut to Limits.CellChars.
	Text string
	// Code is "" or the code of the reason why the value cannot be used.
	Code string
	// Detail describes the fault in plain English. It is "" without a Code.
	Detail string
	// Args is a JSON object to render Detail in another language. It holds the text key of the sentence,
	// as "#", and the values in the sentence. It is "" without a Code.
	Args string
	// Plain reports whether the file has a number, date or truth value instead of a text. In this case,
	// Text is the value in a form without a locale.
	Plain bool
}

// Blank reports whether the row has no visible text, no unusable cell, and no value right of
// Limits.Columns.
func (r Row) Blank() bool {
	for _, c := range r.Cells {
		if c.Code != "" || TrimHeading(c.Text) != "" {
			return false
		}
	}
	return r.Beyond == 0
}

// span is the position of a cell in the text of its row.
type span struct {
	from, to int32
	note     int32 // 1 + index in notes; 0 for a usable cell
	plain    bool
	set      bool // the row has the cell
}

// Note is the reason why a cell cannot be used. Its fields are those of Cell.
type Note struct {
	Code, Detail string
	Args         string
}

// Notef returns a note with a code and the text of a sentence. The argument `sentence` is the text key
// of the sentence, and `pairs` holds the names and values of its placeholders.
func Notef(code, sentence string, pairs ...string) Note {
	values := map[string]string{"#": sentence}
	for i := 0; i+1 < len(pairs); i += 2 {
		values[pairs[i]] = pairs[i+1]
	}
	args, err := json.Marshal(values)
	if err != nil { // texts always encode
		return Note{Code: code, Detail: code}
	}
	return Note{code, sentences.fill(sentence, pairs), string(args)}
}

// Builder holds the cells of one row while they are read. It stores all their texts in one string.
type Builder struct {
	Chars  int    // maximum number of characters of a cell
	Text   []byte // texts of all cells
	spans  []span
	notes  []Note
	cells  []Cell
	Beyond int // number of the last column with a value, from 1, if the row has too many columns; else 0
}

// Reset begins a new row. It discards all cells.
func (b *Builder) Reset() {
	b.Text = b.Text[:0]
	b.spans = b.spans[:0]
	b.notes = b.notes[:0]
	b.Beyond = 0
}

// PutPlain calls Put, and sets Cell.Plain: the file has a number, date or truth value.
func (b *Builder) PutPlain(col, from int) {
	b.Put(col, from)
	b.spans[col].plain = true
}

// Put makes Text[from:] the cell of the column with the index `col`.
func (b *Builder) Put(col, from int) {
	for len(b.spans) <= col {
		b.spans = append(b.spans, span{})
	}
	b.spans[col] = span{from: int32(from), to: int32(len(b.Text)), set: true}
}

// Add makes Text[from:to] the cell of the next column.
func (b *Builder) Add(from, to int) {
	b.spans = append(b.spans, span{from: int32(from), to: int32(to), set: true})
}

// Refuse calls Put, and sets Code, Detail and Args of the cell to those of the note `n`.
func (b *Builder) Refuse(col, from int, n Note) {
	b.Put(col, from)
	b.notes = append(b.notes, n)
	b.spans[col].note = int32(len(b.notes))
}

// PutText validates Text[from:]. For a valid text, it calls Put. For an invalid text, it calls Refuse
// with the fault.
func (b *Builder) PutText(col, from int) {
	if n := b.vet(from); n.Code != "" {
		b.Refuse(col, from, n)
		return
	}
	b.Put(col, from)
}

// vet returns the fault of Text[from:], or the zero Note. It replaces a text at fault by the result of
// Showable.
func (b *Builder) vet(from int) Note {
	var n Note
	text := b.Text[from:]
	ctl, high := -1, false
	for i, c := range text {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' {
			ctl = i
		}
		high = high || c >= utf8.RuneSelf
	}
	switch {
	case high && !utf8.Valid(text):
		n = Notef(CodeInvalidEncoding, "cell.encoding", "n", strconv.Itoa(invalidAt(text)+1))
	case ctl >= 0:
		n = Notef(CodeInvalidCharacter, "cell.control", "n", strconv.Itoa(int(text[ctl])))
	case len(text) > b.Chars && utf8.RuneCount(text) > b.Chars:
		n = Notef(CodeTooLong, "cell.long", "n", strconv.Itoa(b.Chars))
	default:
		return n
	}
	b.Text = append(b.Text[:from], Showable(text, b.Chars)...)
	return n
}

// invalidAt returns the index of the first byte that is not UTF-8, or the length of a valid text.
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

// Showable returns a copy of a text, truncated to `chars` characters. It replaces characters that cannot
// be stored by U+FFFD.
func Showable(text []byte, chars int) string {
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

// Refused reports whether the row has an invalid cell in the column.
func (b *Builder) Refused(col int) bool { return b.spans[col].note > 0 }

// Has reports whether the row has a cell in the column.
func (b *Builder) Has(col int) bool { return col < len(b.spans) && b.spans[col].set }

// PutValue calls PutText, and sets Cell.Plain to the argument `plain`.
func (b *Builder) PutValue(col, from int, plain bool) {
	b.PutText(col, from)
	b.spans[col].plain = plain
}

// Row returns the cells that were put since Reset as a row. The argument `width` is the least value of
// Row.Width.
func (b *Builder) Row(number, width int) Row {
	text := string(b.Text)
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
			c.Code, c.Detail, c.Args = n.Code, n.Detail, n.Args
		} else if c.Code != "" {
			c.Code, c.Detail, c.Args = "", "", ""
		}
		if s.to > s.from || s.note > 0 {
			used = i + 1
		}
	}
	return Row{Number: number, Width: max(width, used), Cells: b.cells[:used], Beyond: b.Beyond}
}
