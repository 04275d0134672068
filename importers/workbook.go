package importers

import (
	"fmt"
	"strings"
)

// workbook is what the sheets of one file share.
type workbook struct {
	box      *container
	sheets   []sheetInfo
	date1904 bool
	formats  []cellFormat // by style number
	texts    *sharedTexts
}

// sheetInfo is one sheet of a workbook in the order of its tabs.
type sheetInfo struct {
	name   string
	part   string
	hidden bool
	cells  bool // a sheet of cells, not of a chart
}

// openWorkbook reads the list of sheets and the styles. Shared texts are
// opened but not read.
func openWorkbook(c *container) (*workbook, error) {
	top, err := c.relations("")
	if err != nil {
		return nil, err
	}
	b := &workbook{box: c}
	main := first(top, "officeDocument")
	if main == "" {
		return nil, damaged("_rels/.rels", "the workbook is not named")
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

// readSheets reads the workbook part.
func (b *workbook) readSheets(main string, rels map[string]relation) error {
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

func (b *workbook) addSheet(x *xmlScanner, rels map[string]relation) error {
	rel, known := rels[x.relID()]
	if !known || len(b.sheets) == b.box.limit.Entries {
		return x.damaged("the sheet %q leads nowhere", x.attr("name"))
	}
	b.sheets = append(b.sheets, sheetInfo{
		name:   x.attr("name"),
		part:   rel.target,
		hidden: strings.HasSuffix(strings.ToLower(x.attr("state")), "hidden"),
		cells:  rel.kind == "worksheet",
	})
	return nil
}

// relID returns the r:id of the element just started, whatever its prefix.
func (x *xmlScanner) relID() string {
	for _, a := range x.attrs {
		if string(local(a.name)) == "id" && len(a.name) > len("id") {
			return decodeAttr(a.value)
		}
	}
	return ""
}

// pick finds the sheet called name, or the first visible one with cells.
func (b *workbook) pick(name string) (sheetInfo, error) {
	for _, s := range b.sheets {
		if s.cells && (name == s.name || name == "" && !s.hidden) {
			return s, nil
		}
	}
	for _, s := range b.sheets {
		if name != "" && s.cells && headKey(name) == headKey(s.name) {
			return s, nil
		}
	}
	if name == "" {
		return sheetInfo{}, problemf(CodeNoSheet, "The workbook has no visible sheet with cells. "+
			"It has: %s. Make the sheet with your data visible and upload it again.", b.list())
	}
	return sheetInfo{}, problemf(CodeSheetNotFound,
		"The workbook has no sheet with cells named %q. It has: %s.", name, b.list())
}

// visible names the sheets a person can see and rows can be read from.
func (b *workbook) visible() []string {
	var names []string
	for _, s := range b.sheets {
		if s.cells && !s.hidden {
			names = append(names, s.name)
		}
	}
	return names
}

// list names all sheets in words.
func (b *workbook) list() string {
	var names []string
	for _, s := range b.sheets[:min(len(b.sheets), 50)] {
		switch {
		case !s.cells:
			names = append(names, fmt.Sprintf("%q (a chart)", s.name))
		case s.hidden:
			names = append(names, fmt.Sprintf("%q (hidden)", s.name))
		default:
			names = append(names, fmt.Sprintf("%q", s.name))
		}
	}
	if names == nil {
		return "no sheets at all"
	}
	return strings.Join(names, ", ")
}

// close gives back the temporary file of the shared texts, if there is one.
func (b *workbook) close() error { return b.texts.close() }
