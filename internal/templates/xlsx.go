package templates

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/internal/rowschema"
	"github.com/rollcall-dev/rollcall/internal/table"
	"github.com/rollcall-dev/rollcall/internal/textutil"
	"github.com/rollcall-dev/rollcall/internal/words"
)

func say(lang, key string) string {
	text, _ := words.Say(lang, key, nil) // a test checks every key for its values
	return text
}

// book is a workbook that is being built.
type book struct {
	kind jobs.Kind
	lang string
	file *excelize.File
	data string // the sheet to fill in
	list string // the hidden sheet with the values of drop-downs; "" while there is none
	next int    // number of used columns of that sheet
	bold int
	wrap int
}

// XLSX writes a workbook for a kind with columns. Users fill in the first sheet, which has notes on its
// headings, drop-downs, and formats that keep leading zeros. Another sheet describes the rules and shows
// examples.
func XLSX(w io.Writer, k jobs.Kind, lang string) (err error) {
	b := &book{kind: k, lang: lang, file: excelize.NewFile(), data: sheetName(k, lang)}
	defer func() { err = errors.Join(err, b.file.Close()) }()
	for _, step := range []func() error{b.styles, b.headings, b.columns, b.guide} {
		if err := step(); err != nil {
			return fmt.Errorf("templates: %s: %w", k.Name, err)
		}
	}
	table.SetCreator(b.file)
	return b.file.Write(w)
}

// sheetName returns the title of a kind as a valid sheet name. If that is empty or the name of another
// sheet, it returns the name of the kind.
func sheetName(k jobs.Kind, lang string) string {
	title := table.SheetName(k.DisplayName(lang), "", 1)
	if title == "" || strings.EqualFold(title, say(lang, "template.guide")) || strings.EqualFold(title, listSheet) {
		return table.SheetName(k.Name, "", 1)
	}
	return title
}

func (b *book) styles() (err error) {
	if b.bold, err = b.file.NewStyle(&excelize.Style{
		Font: table.HeadFont(),
		Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"E8EDF3"}},
	}); err != nil {
		return err
	}
	b.wrap, err = b.file.NewStyle(&excelize.Style{
		Alignment: &excelize.Alignment{WrapText: true, Vertical: "top"},
	})
	return err
}

// headings adds the sheet to fill in, and writes the headings of the columns.
func (b *book) headings() error {
	var names []any
	for i := range b.kind.Schema.Fields {
		names = append(names, b.kind.Schema.Fields[i].Name)
	}
	if err := table.AddSheet(b.file, 1, b.data, b.widths()); err != nil {
		return err
	}
	return b.file.SetSheetRow(b.data, "A1", &names)
}

func (b *book) widths() (out []float64) {
	for i := range b.kind.Schema.Fields {
		f := &b.kind.Schema.Fields[i]
		out = append(out, float64(min(max(len([]rune(f.Name)), len([]rune(f.Example)), 10)+4, 40)))
	}
	return out
}

// columns sets the format, note and drop-down of each column.
func (b *book) columns() error {
	for i := range b.kind.Schema.Fields {
		if err := b.column(&b.kind.Schema.Fields[i], i+1); err != nil {
			return err
		}
	}
	last, err := excelize.CoordinatesToCellName(len(b.kind.Schema.Fields), 1)
	if err != nil {
		return err
	}
	return b.file.SetCellStyle(b.data, "A1", last, b.bold)
}

func (b *book) column(f *rowschema.Field, n int) error {
	name, err := excelize.ColumnNumberToName(n)
	if err != nil {
		return err
	}
	style, err := b.file.NewStyle(format(f))
	if err != nil {
		return err
	}
	if err := b.file.SetColStyle(b.data, name, style); err != nil {
		return err
	}
	note := excelize.Comment{
		Cell: name + "1", Author: "Rollcall", Width: 260, Height: 120,
		Paragraph: []excelize.RichTextRun{{Text: strings.Join(b.note(f), "\n")}},
	}
	if err := b.file.AddComment(b.data, note); err != nil {
		return err
	}
	return b.dropDown(f, name)
}

// format returns the number format of a column's cells. With it, Excel keeps leading zeros of texts, and
// a date has the same meaning in every locale.
func format(f *rowschema.Field) *excelize.Style {
	var code string
	switch {
	case f.Type == "date":
		code = "yyyy-mm-dd"
	case f.Type == "integer":
		code = "0"
	case f.Type == "number":
		code = "General"
	default:
		code = "@"
	}
	return &excelize.Style{CustomNumFmt: &code}
}

func (b *book) note(f *rowschema.Field) []string {
	out := append([]string{f.TypeName(b.lang)}, f.Requirements(b.lang)...)
	if hint := b.kind.HintOf(b.lang, f); hint != "" {
		out = append(out, hint)
	}
	if f.Example != "" {
		out = append(out, say(b.lang, "template.example")+": "+f.Example)
	}
	return out
}

// listSheet is the name of the sheet with the values of drop-downs. A list inside a drop-down could not
// have commas, or more than 255 characters.
const listSheet = "_lists"

func (b *book) dropDown(f *rowschema.Field, column string) error {
	values := f.Choices(b.lang)
	if len(values) == 0 {
		return nil
	}
	if b.list == "" {
		if _, err := b.file.NewSheet(listSheet); err != nil {
			return err
		}
		if err := b.file.SetSheetVisible(listSheet, false); err != nil {
			return err
		}
		b.list = listSheet
	}
	b.next++
	from, err := excelize.ColumnNumberToName(b.next)
	if err != nil {
		return err
	}
	if err := b.file.SetSheetCol(listSheet, from+"1", &values); err != nil {
		return err
	}
	v := excelize.NewDataValidation(!f.Required)
	v.SetSqref(column + "2:" + column + strconv.Itoa(excelize.TotalRows))
	v.SetSqrefDropList(fmt.Sprintf("'%s'!$%s$1:$%s$%d", listSheet, from, from, len(values)))
	v.SetError(excelize.DataValidationErrorStyleStop, f.Name, textutil.TruncateRunes(strings.Join(f.Requirements(b.lang), "\n"), maxPrompt))
	return b.file.AddDataValidation(b.data, v)
}

// maxPrompt is the maximum length of a message in the workbook, in characters. Excel allows 255.
const maxPrompt = 200

// lineHeight is the height of a line of text, in points.
const lineHeight = 15

// guide adds the sheet with the rules after the sheet to fill in, because importers read the first
// sheet.
func (b *book) guide() error {
	sheet := say(b.lang, "template.guide")
	if _, err := b.file.NewSheet(sheet); err != nil {
		return err
	}
	intro, _ := words.Say(b.lang, "template.intro", map[string]string{"sheet": b.data})
	rows := [][]any{
		{intro},
		{say(b.lang, "template.rest")},
		{},
		{
			say(b.lang, "template.column"), say(b.lang, "template.type"),
			say(b.lang, "template.rules"), say(b.lang, "template.example"),
		},
	}
	head := len(rows)
	for i := range b.kind.Schema.Fields {
		f := &b.kind.Schema.Fields[i]
		asks := f.Requirements(b.lang)
		if hint := b.kind.HintOf(b.lang, f); hint != "" {
			asks = append(asks, hint)
		}
		rows = append(rows, []any{f.Name, f.TypeName(b.lang), strings.Join(asks, "\n"), f.Example})
		if err := b.file.SetRowHeight(sheet, len(rows), lineHeight*float64(len(asks))); err != nil {
			return err
		}
	}
	for i := range rows {
		if err := b.file.SetSheetRow(sheet, "A"+strconv.Itoa(i+1), &rows[i]); err != nil {
			return err
		}
	}
	return b.layOut(sheet, head, len(rows))
}

func (b *book) layOut(sheet string, head, last int) error {
	for column, width := range map[string]float64{"A": 22, "B": 18, "C": 60, "D": 28} {
		if err := b.file.SetColWidth(sheet, column, column, width); err != nil {
			return err
		}
	}
	wide, once := "landscape", 1
	layout := excelize.PageLayoutOptions{Orientation: &wide, FitToWidth: &once}
	if err := b.file.SetPageLayout(sheet, &layout); err != nil {
		return err
	}
	row := strconv.Itoa(head)
	if err := b.file.SetCellStyle(sheet, "A"+row, "D"+row, b.bold); err != nil {
		return err
	}
	first := strconv.Itoa(head + 1)
	return b.file.SetCellStyle(sheet, "A"+first, "D"+strconv.Itoa(last), b.wrap)
}
