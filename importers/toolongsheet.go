package importers

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
)

// rowBytes is the fewest bytes of a row with a value in a sheet: <row><c><v>1</v></c></row>.
const rowBytes = 26

// manyRows reports whether a sheet may have more than most rows with values. It unpacks
// the sheet only if that is large enough, and counts the elements that begin a row.
func manyRows(ctx context.Context, s *sheetReader, most int) (bool, error) {
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
	n, err := countRows(ctx, p)
	return n > most, faultOf(err)
}

// countRows counts the elements of a sheet that begin a row.
func countRows(ctx context.Context, in io.Reader) (n int, err error) {
	buf, kept := make([]byte, 256<<10), 0
	begins := [][]byte{[]byte("<row "), []byte("<row>"), []byte(":row "), []byte(":row>")}
	for {
		got, err := in.Read(buf[kept:])
		text := buf[:kept+got]
		for _, begin := range begins {
			n += bytes.Count(text, begin)
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return n, err
		}
		kept = copy(buf, text[max(len(text)-len(begins[0])+1, 0):])
	}
}

// faultOf returns an error unless it is the end of a sheet, or a problem of the file: the
// reader that adds the rows before that place finds it again.
func faultOf(err error) error {
	var p *Problem
	if err == io.EOF || errors.As(err, &p) {
		return nil
	}
	return err
}
