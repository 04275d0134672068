package importers

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
)

// The styles of a result workbook, in the order of its list. A red one follows
// the plain one of dates; those of numbers follow each other.
const (
	styleBold      = 1
	styleRed       = 2
	styleDate      = 3
	styleTime      = 5
	styleDigits    = 7
	styleRedDigits = styleDigits + table.MaxDecimals + 1
)

func textStyle(red bool) int {
	if red {
		return styleRed
	}
	return 0
}

func dateStyle(clock, red bool) int {
	style := styleDate
	if clock {
		style = styleTime
	}
	if red {
		style++
	}
	return style
}

// numberStyle shows n digits behind the point.
func numberStyle(n int, red bool) int {
	if red {
		return styleRedDigits + n
	}
	return styleDigits + n
}

// maxNotes bounds the cells of a workbook that have a note: Excel is slow to
// open many, and they are held in memory.
const maxNotes = 10_000

// cellNote is a note on a cell.
type cellNote struct{ ref, text string }

// resultBook writes a workbook sheet by sheet. What stands around the rows is
// made by excelize; the rows are written straight into the container.
type resultBook struct {
	*layout
	box   *zip.Writer
	sheet *sheetWriter
	tail  []byte       // what follows the rows of the sheet
	notes [][]cellNote // by sheet
	count int          // of all notes
}

// writeXLSX writes the result as a workbook. Nothing in it is a formula.
func (r Result) writeXLSX(w io.Writer) error {
	b := &resultBook{layout: newLayout(r.Task, r.Kind), box: zip.NewWriter(w)}
	b.box.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestSpeed)
	})
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
	return b.finish()
}

// open begins a sheet with the headings: the first, or one more when a sheet
// is full.
func (b *resultBook) open() error {
	b.notes = append(b.notes, nil)
	bare := resultBook{layout: b.layout, notes: make([][]cellNote, len(b.notes))}
	around, err := bare.around()
	if err != nil {
		return err
	}
	head, tail, err := around.Around(len(b.notes))
	if err != nil {
		return err
	}
	part, err := b.box.Create(table.SheetPart(len(b.notes)))
	if err != nil {
		return err
	}
	b.sheet, b.tail = newSheetWriter(b.layout, bufio.NewWriterSize(part, 64<<10)), tail
	if _, err := b.sheet.out.Write(head); err != nil {
		return err
	}
	return b.sheet.head()
}

func (b *resultBook) add(e *events.Event) error {
	if b.sheet.row == excelize.TotalRows {
		if err := errors.Join(b.close(), b.open()); err != nil {
			return err
		}
	}
	marks := b.marks(e)
	if err := b.sheet.add(e, marks); err != nil {
		return err
	}
	for _, m := range marks {
		b.note(m)
	}
	return nil
}

// note keeps why a cell of the row that was written is at fault.
func (b *resultBook) note(m mark) {
	last, ref := len(b.notes)-1, b.sheet.ref(m.column)
	if n := len(b.notes[last]); n > 0 && b.notes[last][n-1].ref == ref {
		b.notes[last][n-1].text += "\n" + m.why // a cell has one note
		return
	}
	if b.count++; b.count <= maxNotes {
		b.notes[last] = append(b.notes[last], cellNote{ref, m.why})
	}
}

// close ends a sheet.
func (b *resultBook) close() error {
	_, err := b.sheet.out.Write(b.tail)
	return errors.Join(err, b.sheet.out.Flush())
}

// finish adds everything but the sheets, and ends the container.
func (b *resultBook) finish() error {
	around, err := b.around()
	if err != nil {
		return err
	}
	return around.End(b.box)
}

// around is the workbook without its rows.
func (b *resultBook) around() (*table.Book, error) {
	return table.NewBook(resultStyles(), func(f *excelize.File) error {
		for i := range b.notes {
			if err := b.addSheet(f, i); err != nil {
				return err
			}
		}
		return nil
	})
}

func resultStyles() []excelize.Style {
	red := excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"FDE2E1"}}
	list := []excelize.Style{{Font: table.HeadFont()}, {Fill: red}}
	for _, form := range []string{table.DateFormat, table.TimeFormat} {
		list = append(list, excelize.Style{CustomNumFmt: &form},
			excelize.Style{CustomNumFmt: &form, Fill: red})
	}
	for _, fill := range []excelize.Fill{{}, red} {
		for n := range table.MaxDecimals + 1 {
			form := table.NumberFormat(n)
			list = append(list, excelize.Style{CustomNumFmt: &form, Fill: fill})
		}
	}
	return list
}

// howTo is the note on the heading of the row id.
const howTo = "Correct the cells on red and upload this file to the same task. " +
	"Rows are found by this column, whatever their order: leave it as it is."

// addSheet adds a sheet without rows, but with its notes.
func (b *resultBook) addSheet(f *excelize.File, i int) error {
	name := table.SheetName(b.task.FileSheet, "Result", i+1)
	if err := table.AddSheet(f, i+1, name); err != nil {
		return err
	}
	if err := b.widths(f, name); err != nil {
		return err
	}
	id := columnName(len(b.columns)+ownID) + "1"
	notes := append([]cellNote{{id, howTo}}, b.notes[i]...)
	if i == 0 && b.count > maxNotes {
		why := fmt.Sprintf("Only the first %d cells at fault have a note. "+
			"What is wrong with the others stands in this column.", maxNotes)
		notes = append(notes, cellNote{columnName(len(b.columns)+ownMessage) + "1", why})
	}
	for _, n := range notes {
		err := f.AddComment(name, excelize.Comment{
			Cell: n.ref, Author: "Rollcall", Text: n.text, Width: 260, Height: 90,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *resultBook) widths(f *excelize.File, sheet string) error {
	width := map[int]float64{ownRow: 8, ownStatus: 12, ownMessage: 50, ownHint: 40, ownID: 42}
	for i := range len(b.columns) + ownColumns {
		col := columnName(i)
		if err := f.SetColWidth(sheet, col, col, cmp.Or(width[i-len(b.columns)], 18)); err != nil {
			return err
		}
	}
	return nil
}
