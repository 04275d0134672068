package table

import "strconv"

// The styles that the rows of a workbook refer to by number: the workbook has
// them in this order, behind the plain one, which is 0.
const (
	StyleHead     = 1 // headings
	StyleDate     = 2
	StyleTime     = 3
	StyleDecimals = 4 // and as many more as MaxDecimals: numbers by their digits behind the point
)

// appendSheetRow adds a row of a sheet. Rows and cells have no numbers: they
// count by their order, so that parts of a sheet can be made apart.
func appendSheetRow(b []byte, cells []Cell) []byte {
	b = append(b, "<row>"...)
	last := len(cells)
	for last > 0 && cells[last-1].Kind == None {
		last--
	}
	for i := range last {
		b = appendSheetCell(b, &cells[i])
	}
	return append(b, "</row>"...)
}

func appendSheetCell(b []byte, c *Cell) []byte {
	switch c.Kind {
	case None:
		return append(b, "<c/>"...)
	case Text:
		return appendInline(b, c.Text, 0)
	case Boolean:
		b = append(b, `<c t="b"><v>`...)
		return append(append(b, byte('0'+c.Int&1)), "</v></c>"...)
	case Moment:
		return appendDate(b, c)
	}
	if !c.exact() {
		return appendInline(b, string(c.appendNumber(nil)), 0)
	}
	b = append(b, "<c"...)
	if n := c.shown(); n >= 0 {
		b = appendStyle(b, StyleDecimals+n)
	}
	b = c.appendNumber(append(b, "><v>"...))
	return append(b, "</v></c>"...)
}

// appendDate adds a time as a day or a moment of the workbook; before its days
// begin, as a text.
func appendDate(b []byte, c *Cell) []byte {
	t := c.Time.UTC()
	if t.Year() < firstYear || t.Year() > 9999 {
		return appendInline(b, string(appendMoment(nil, t)), 0)
	}
	style := StyleTime
	if day(t) {
		style = StyleDate
	}
	b = append(appendStyle(append(b, "<c"...), style), "><v>"...)
	return append(appendSerial(b, t), "</v></c>"...)
}

func appendStyle(b []byte, style int) []byte {
	return append(strconv.AppendInt(append(b, ` s="`...), int64(style), 10), '"')
}

// appendInline adds a text, whatever it looks like.
func appendInline(b []byte, s string, style int) []byte {
	b = append(b, "<c"...)
	if style > 0 {
		b = appendStyle(b, style)
	}
	b = append(b, ` t="inlineStr"><is><t`...)
	if s != "" && (s[0] <= ' ' || s[len(s)-1] <= ' ') {
		b = append(b, ` xml:space="preserve"`...)
	}
	b = AppendXML(append(b, '>'), Fitting(s))
	return append(b, "</t></is></c>"...)
}
