package results

import (
	"archive/zip"
	"bufio"
	"cmp"
	"compress/flate"
	"errors"
	"fmt"
	"io"

	"github.com/rollcall-dev/rollcall/internal/table"

	"github.com/xuri/excelize/v2"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/importers/resultfile"
)

// maxNotes is the maximum number of notes on cells at fault in a workbook. Excel opens a workbook with
// many notes slowly, and the writer holds the notes in memory.
const maxNotes = 10_000

type cellNote struct{ ref, text string }

// resultBook is a writer of a workbook, sheet by sheet.
type resultBook struct {
	*Layout
	around table.Workbook
	out    *bufio.Writer // output of the sheet
	sheet  table.Sheet
	row    []table.Cell
	buf    []byte
	tail   []byte       // bytes after the rows of the sheet
	notes  [][]cellNote // notes by sheet
	count  int          // number of all notes
}

func newResultBook(l *Layout, w io.Writer) *resultBook {
	b := &resultBook{Layout: l}
	b.around = table.Workbook{Box: zip.NewWriter(w), Marked: true, Sheet: b.addSheet}
	b.around.Box.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestSpeed)
	})
	return b
}

// writeXLSX writes the result as a workbook. The workbook contains no formulas.
func (r Result) writeXLSX(w io.Writer) error {
	b := newResultBook(NewLayout(r.Task, r.Kind), w)
	if err := b.open(); err != nil {
		return err
	}
	for e, err := range r.Rows {
		if err != nil {
			return err
		}
		if err := b.add(e); err != nil {
			return err
		}
	}
	if err := b.close(); err != nil {
		return err
	}
	return b.around.End()
}

// open begins the next sheet and writes the headings.
func (b *resultBook) open() error {
	b.notes = append(b.notes, nil)
	name, head, tail, err := b.around.Begin()
	if err != nil {
		return err
	}
	part, err := b.around.Box.Create(name)
	if err != nil {
		return err
	}
	b.out, b.tail, b.sheet = bufio.NewWriterSize(part, 64<<10), tail, table.Sheet{}
	_, err = b.out.Write(b.sheet.AppendHead(head, b.headings()))
	return err
}

// add writes the row of one event. It first begins a new sheet if the current sheet is full. Cells at
// fault have a red background and a note.
func (b *resultBook) add(e *events.Event) error {
	if b.sheet.Row == excelize.TotalRows {
		if err := errors.Join(b.close(), b.open()); err != nil {
			return err
		}
	}
	texts, err := b.Layout.cells(e)
	if err != nil {
		return err
	}
	b.row = b.row[:0]
	for i, text := range texts {
		b.row = append(b.row, b.cell(i, text))
	}
	faults := b.cellFaults(e)
	for _, f := range faults {
		b.row[f.column].Marked = true
	}
	b.buf = b.sheet.Append(b.buf[:0], b.row)
	for _, f := range faults {
		b.note(f)
	}
	_, err = b.out.Write(b.buf)
	return err
}

// cell returns a cell for a text of the column with index `i`. The cell is a number or a date if the column
// has this type and Excel then shows exactly the text. Otherwise it is the text.
func (b *resultBook) cell(i int, text string) table.Cell {
	if text == "" {
		return table.Cell{}
	}
	if i == len(b.Columns)+resultfile.Row {
		return table.Cell{Kind: table.Digits, Text: text}
	}
	if plain, digits := b.number(i, text); digits >= 0 {
		return table.Cell{Kind: table.Digits, Text: plain}
	}
	if i < len(b.Columns) && b.fields[i] != nil && b.fields[i].Type == "date" {
		if date, ok := table.Date(text); ok {
			return date
		}
	}
	return table.Cell{Kind: table.Text, Text: text}
}

// note stores the reason why a cell of the last written row is at fault. Several reasons of one cell
// share a note. Beyond maxNotes notes, it only counts.
func (b *resultBook) note(f cellFault) {
	last, ref := len(b.notes)-1, b.sheet.Ref(f.column)
	if n := len(b.notes[last]); n > 0 && b.notes[last][n-1].ref == ref {
		b.notes[last][n-1].text += "\n" + f.why // a cell has one note
		return
	}
	if b.count++; b.count <= maxNotes {
		b.notes[last] = append(b.notes[last], cellNote{ref, f.why})
	}
}

func (b *resultBook) close() error {
	_, err := b.out.Write(b.tail)
	return errors.Join(err, b.out.Flush())
}

// howTo is the text of the note on the heading of the row id.
const howTo = "Correct the red cells and upload this file to the same task. " +
	"Do not change this column: it identifies the rows, in any order."

// addSheet adds sheet n with its notes, but without rows.
func (b *resultBook) addSheet(f *excelize.File, n int) error {
	name := table.SheetName(b.task.FileSheet, "Result", n)
	if err := table.AddSheet(f, n, name, b.widths()); err != nil {
		return err
	}
	id := table.ColumnName(len(b.Columns)+resultfile.ID) + "1"
	notes := append([]cellNote{{id, howTo}}, b.notes[n-1]...)
	if n == 1 && b.count > maxNotes {
		why := fmt.Sprintf("Only the first %d wrong cells have a note. "+
			"This column explains the others.", maxNotes)
		notes = append(notes, cellNote{table.ColumnName(len(b.Columns)+resultfile.Message) + "1", why})
	}
	for _, note := range notes {
		err := f.AddComment(name, excelize.Comment{
			Cell: note.ref, Author: "Rollcall", Text: note.text, Width: 260, Height: 90,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *resultBook) widths() (out []float64) {
	width := map[int]float64{resultfile.Row: 8, resultfile.Status: 12, resultfile.Message: 50, resultfile.Hint: 40, resultfile.ID: 42}
	for i := range len(b.Columns) + resultfile.Columns {
		out = append(out, cmp.Or(width[i-len(b.Columns)], 18))
	}
	return out
}
