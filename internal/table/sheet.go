package table

import "strconv"

// These are the numbers of the cell styles. The workbook has the styles in this order, after the
// plain style 0. The same styles with a red background follow, for cells with Cell.Marked.
const (
	styleHead     = 1 // headings
	styleDate     = 2
	styleTime     = 3
	styleDecimals = 4 // and MaxDecimals more: numbers by their digits after the point
	styleMarked   = styleDecimals + MaxDecimals + 1
)

// Sheet is a writer of rows with their numbers and the references of their cells. Some readers require
// both. A nil Sheet writes neither: readers then count the rows, so that parts of a sheet can be made
// separately.
type Sheet struct {
	Row     int      // number of the last row added
	letters []string // of the columns
}

// Ref returns the reference of a cell in the last row, such as "AB12". Columns count from 0.
func (s *Sheet) Ref(column int) string { return s.column(column) + strconv.Itoa(s.Row) }

func (s *Sheet) column(i int) string {
	for len(s.letters) <= i {
		s.letters = append(s.letters, ColumnName(len(s.letters)))
	}
	return s.letters[i]
}

// ColumnName returns the letters of a column, counted from 0.
func ColumnName(column int) (name string) {
	for n := column + 1; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name
}

// AppendHead appends the row of the headings.
func (s *Sheet) AppendHead(b []byte, headings []string) []byte {
	s.Row++
	return appendHeadRow(b, headings, s)
}

// Append appends a row.
func (s *Sheet) Append(b []byte, cells []Cell) []byte {
	s.Row++
	return appendSheetRow(b, cells, s)
}

func appendHeadRow(b []byte, headings []string, at *Sheet) []byte {
	b = at.appendRow(b)
	for i, text := range headings {
		b = appendInline(at.appendOpen(b, i), text, styleHead)
	}
	return append(b, "</row>"...)
}

// appendSheetRow appends a row of a sheet. It writes row numbers and cell references unless the argument
// `at` is nil.
func appendSheetRow(b []byte, cells []Cell, at *Sheet) []byte {
	b = at.appendRow(b)
	last := len(cells)
	for last > 0 && cells[last-1].blank() {
		last--
	}
	for i := range last {
		if at == nil || !cells[i].blank() {
			b = appendSheetCell(at.appendOpen(b, i), &cells[i])
		}
	}
	return append(b, "</row>"...)
}

// blank reports whether a cell is empty and has no background color.
func (c *Cell) blank() bool { return c.none() && !c.Marked }

// none reports whether a cell is empty.
func (c *Cell) none() bool { return c.Kind == None || c.Kind == Text && c.Text == "" }

func (s *Sheet) appendRow(b []byte) []byte {
	if s == nil {
		return append(b, "<row>"...)
	}
	b = strconv.AppendInt(append(b, `<row r="`...), int64(s.Row), 10)
	return append(b, `">`...)
}

// appendOpen appends the start of a cell.
func (s *Sheet) appendOpen(b []byte, column int) []byte {
	b = append(b, "<c"...)
	if s == nil {
		return b
	}
	b = append(append(b, ` r="`...), s.column(column)...)
	return append(strconv.AppendInt(b, int64(s.Row), 10), '"')
}

// appendSheetCell appends the rest of a cell, after appendOpen.
func appendSheetCell(b []byte, c *Cell) []byte {
	if c.none() {
		return append(c.appendStyle(b, 0), "/>"...)
	}
	switch c.Kind {
	case Text:
		return appendInline(b, c.Text, c.style(0))
	case Boolean:
		b = append(c.appendStyle(b, 0), ` t="b"><v>`...)
		return append(append(b, byte('0'+c.Int&1)), "</v></c>"...)
	case Moment:
		return appendDate(b, c)
	}
	n, exact := c.decimals()
	switch {
	case !exact:
		return appendInline(b, string(c.appendNumber(nil)), c.style(0))
	case n >= 0:
		b = c.appendStyle(b, styleDecimals+n)
	default:
		b = c.appendStyle(b, 0)
	}
	b = c.appendNumber(append(b, "><v>"...))
	return append(b, "</v></c>"...)
}

// appendDate appends a time as a date of the workbook, with or without the time of day. It appends
// a time before firstYear, or after the year 9999, as a text.
func appendDate(b []byte, c *Cell) []byte {
	t := c.Time.UTC()
	if t.Year() < firstYear || t.Year() > 9999 {
		return appendInline(b, string(c.appendMoment(nil)), c.style(0))
	}
	style := styleTime
	if day(t) && !c.Clock {
		style = styleDate
	}
	b = append(c.appendStyle(b, style), "><v>"...)
	return append(appendSerial(b, t), "</v></c>"...)
}

// style returns the number of style n for the cell. If c.Marked is true, it returns the number of
// the same style with a red background.
func (c *Cell) style(n int) int {
	if c.Marked {
		return n + styleMarked
	}
	return n
}

func (c *Cell) appendStyle(b []byte, n int) []byte { return appendStyle(b, c.style(n)) }

func appendStyle(b []byte, style int) []byte {
	if style == 0 {
		return b
	}
	return append(strconv.AppendInt(append(b, ` s="`...), int64(style), 10), '"')
}

// appendInline appends a text as an inline string, which no spreadsheet evaluates as a formula.
func appendInline(b []byte, s string, style int) []byte {
	b = append(appendStyle(b, style), ` t="inlineStr"><is><t`...)
	if s != "" && (s[0] <= ' ' || s[len(s)-1] <= ' ') {
		b = append(b, ` xml:space="preserve"`...)
	}
	b = AppendXML(append(b, '>'), Fitting(s))
	return append(b, "</t></is></c>"...)
}
