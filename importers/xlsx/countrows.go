package xlsx

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// rowBytes is the size in bytes of the shortest XML of a row that is not blank: <row><c><f/></c></row>, a
// formula without a value.
const rowBytes = 22

// MayExceed reports whether the sheet may have more rows than the argument `most`, not counting blank rows.
// If the sheet has enough bytes for more rows, MayExceed unpacks it and counts its row elements. For a
// sheet in UTF-16, it does not count, and returns true.
func (s *SheetReader) MayExceed(ctx context.Context, most int) (bool, error) {
	box := s.book.box
	f := box.files[strings.ToLower(s.part)]
	if f == nil || f.UncompressedSize64 < rowBytes*uint64(most) {
		return false, nil
	}
	defer func(left int64) { box.left = left }(box.left) // the rows are unpacked once more
	p, err := newPart(box, f)
	if err != nil {
		return false, faultOf(err)
	}
	in := bufio.NewReader(p)
	begin, _ := in.Peek(2) // countRows returns the error
	if _, wide := utf16Order(begin); wide {
		return true, nil
	}
	n, err := countRows(ctx, in)
	return n > most, faultOf(err)
}

// countRows returns the number of row elements in a sheet, and the error that ended the reading. At
// the end of the sheet this error is io.EOF.
func countRows(ctx context.Context, in io.Reader) (n int, err error) {
	buf, kept := make([]byte, 256<<10), 0
	for {
		got, err := in.Read(buf[kept:])
		text := buf[:kept+got]
		n += rowBegins(text)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return n, err
		}
		kept = copy(buf, text[max(len(text)-rowBegin+1, 0):])
	}
}

// rowBegin is the length in bytes of the beginning of a row's start tag: "<row" or ":row", and a
// blank or ">".
const rowBegin = 5

// rowBegins returns the number of start tags of rows in a text. It searches for the letter w, which
// is rare in a sheet.
func rowBegins(text []byte) (n int) {
	for at := 0; ; at++ {
		w := bytes.IndexByte(text[at:], 'w')
		if w < 0 {
			return n
		}
		at += w
		if at < 3 || at+1 == len(text) || text[at-1] != 'o' || text[at-2] != 'r' {
			continue
		}
		if (text[at-3] == '<' || text[at-3] == ':') && (text[at+1] == '>' || isBlank(text[at+1])) {
			n++
		}
	}
}

// faultOf returns nil for the end of a sheet and for a *tabular.Problem, which appears again when
// the rows are read. It returns any other error unchanged.
func faultOf(err error) error {
	var p *tabular.Problem
	if err == io.EOF || errors.As(err, &p) {
		return nil
	}
	return err
}
