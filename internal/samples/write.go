package samples

import (
	"encoding/csv"
	"io"
	"strconv"
	"time"

	"github.com/xuri/excelize/v2"
)

func writeCSV(w io.Writer, p *plan) error {
	out := csv.NewWriter(w)
	if err := out.Write(Header[:]); err != nil {
		return err
	}
	for i := range p.opt.Rows {
		r := p.row(i)
		cells := []string{r.sku, r.name, r.price(), "", r.brand, r.startText, r.noteText}
		if r.stock >= 0 {
			cells[3] = strconv.Itoa(r.stock)
		}
		if r.startText == "" && !r.start.IsZero() {
			cells[5] = r.start.Format(time.DateOnly)
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func writeXLSX(w io.Writer, p *plan) error {
	f := excelize.NewFile()
	defer f.Close() // no data is written after WriteTo
	day, err := f.NewStyle(&excelize.Style{NumFmt: 14})
	if err != nil {
		return err
	}
	out, err := f.NewStreamWriter("Sheet1")
	if err != nil {
		return err
	}
	head := make([]any, len(Header))
	for i, h := range Header {
		head[i] = h
	}
	if err := out.SetRow("A1", head); err != nil {
		return err
	}
	for i := range p.opt.Rows {
		if err := out.SetRow("A"+strconv.Itoa(i+2), p.row(i).values(day)); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err = f.WriteTo(w)
	return err
}

// values returns the cells of the row in a workbook. The argument `day` is the id of the style of dates.
func (p product) values(day int) []any {
	v := []any{p.sku, p.name, float64(p.cents) / 100, nil, p.brand, nil, p.noteText}
	if p.priceText != "" {
		v[2] = p.priceText
	}
	if p.stock >= 0 {
		v[3] = p.stock
	}
	switch {
	case p.startText != "":
		v[5] = p.startText
	case !p.start.IsZero():
		v[5] = excelize.Cell{StyleID: day, Value: p.start}
	}
	return v
}
