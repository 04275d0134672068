package xlsx

import (
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// Workbook holds the data that the sheets of one file share.
type Workbook struct {
	box      *Container
	Sheets   []Sheet // in the order of the tabs
	date1904 bool
	formats  []cellFormat // by style number
	texts    *sharedTexts
}

// Sheet is an entry in the list of sheets of a workbook. It has cells or a chart.
type Sheet struct {
	Name   string
	part   string
	Hidden bool
	Cells  bool // a sheet of cells, not of a chart
}

// OpenWorkbook reads the list of sheets and the styles in a container. It opens the shared strings
// without reading them. Only one reader may use a container at a time.
func OpenWorkbook(c *Container) (*Workbook, error) {
	c.left = c.limit.Unzipped
	if err := c.hasDoctype(); err != nil {
		return nil, err
	}
	top, err := c.relations("")
	if err != nil {
		return nil, err
	}
	b := &Workbook{box: c}
	main := first(top, "officeDocument")
	if main == "" {
		return nil, tabular.Damaged("_rels/.rels", "the workbook is not named")
	}
	rels, err := c.relations(main)
	if err != nil {
		return nil, err
	}
	if err := b.readSheets(main, rels); err != nil {
		return nil, err
	}
	if styles := first(rels, "styles"); styles != "" {
		if b.formats, err = readStyles(c, styles); err != nil {
			return nil, err
		}
	}
	b.texts, err = openSharedTexts(c, first(rels, "sharedStrings"))
	return b, err
}

// readSheets reads the list of sheets and the date system from the workbook part.
func (b *Workbook) readSheets(main string, rels map[string]relation) error {
	x, err := b.box.open(main)
	if err != nil {
		return err
	}
	if err := x.enter("workbook"); err != nil {
		return err
	}
	for {
		tok, err := x.next()
		if err != nil {
			return err
		}
		if tok == tokenEOF {
			return nil
		}
		if tok != tokenStart {
			continue
		}
		switch string(local(x.name)) {
		case "workbookPr":
			b.date1904 = b.date1904 || truth(x.attr("date1904"))
		case "sheet":
			if err := b.addSheet(x, rels); err != nil {
				return err
			}
		}
	}
}

func (b *Workbook) addSheet(x *xmlScanner, rels map[string]relation) error {
	rel, known := rels[x.relID()]
	if !known || len(b.Sheets) == b.box.limit.Entries {
		return x.damaged("the sheet %q leads nowhere", x.attr("name"))
	}
	b.Sheets = append(b.Sheets, Sheet{
		Name:   x.attr("name"),
		part:   rel.target,
		Hidden: strings.HasSuffix(strings.ToLower(x.attr("state")), "hidden"),
		Cells:  rel.kind == "worksheet",
	})
	return nil
}

// relID returns the attribute r:id of the last start tag, with any namespace prefix.
func (x *xmlScanner) relID() string {
	for _, a := range x.attrs {
		if string(local(a.name)) == "id" && len(a.name) > len("id") {
			return decodeAttr(a.value)
		}
	}
	return ""
}

// Pick returns the sheet with cells that has the given name. If no name is equal, Pick compares the names
// without case and blanks. For the name "" it returns the first visible sheet with cells. If it finds no
// sheet, it returns a *tabular.Problem.
func (b *Workbook) Pick(name string) (Sheet, error) {
	for _, s := range b.Sheets {
		if s.Cells && (name == s.Name || name == "" && !s.Hidden) {
			return s, nil
		}
	}
	for _, s := range b.Sheets {
		if name != "" && s.Cells && tabular.HeadKey(name) == tabular.HeadKey(s.Name) {
			return s, nil
		}
	}
	if name == "" {
		return Sheet{}, tabular.Problemf(tabular.CodeNoSheet, "The workbook has no visible sheet with cells. "+
			"It has: %s. Make the sheet with your data visible and upload it again.", b.list())
	}
	return Sheet{}, tabular.Problemf(tabular.CodeSheetNotFound,
		"The workbook has no sheet with cells named %q. It has: %s.", name, b.list())
}

// Visible returns the names of the visible sheets with cells.
func (b *Workbook) Visible() []string {
	var names []string
	for _, s := range b.Sheets {
		if s.Cells && !s.Hidden {
			names = append(names, s.Name)
		}
	}
	return names
}

// list returns the names of the first 50 sheets for a message, and marks hidden sheets and charts.
func (b *Workbook) list() string {
	var names []string
	for _, s := range b.Sheets[:min(len(b.Sheets), 50)] {
		switch {
		case !s.Cells:
			names = append(names, fmt.Sprintf("%q (a chart)", s.Name))
		case s.Hidden:
			names = append(names, fmt.Sprintf("%q (hidden)", s.Name))
		default:
			names = append(names, fmt.Sprintf("%q", s.Name))
		}
	}
	if names == nil {
		return "no sheets at all"
	}
	return strings.Join(names, ", ")
}

// close deletes the temporary file of the shared strings, if there is one.
func (b *Workbook) close() error { return b.texts.close() }
