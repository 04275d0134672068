package main

import (
	"archive/zip"
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// These are the headings of the table, and the kind of each column in a workbook. The kinds are s, a
// shared text; i, a text in the cell; n, a number; and d, a date.
var (
	readHeads = strings.Split("SKU,Name,Price,Stock,Brand,Start,Note,Active,Id,Currency", ",")
	readKinds = "ssnnsdinns"
)

// readRow returns row i of the table as texts.
func readRow(i int) []string {
	return []string{
		fmt.Sprintf("SKU-%06d", i), fmt.Sprintf("Product number %d", i), fmt.Sprintf("%d.25", i),
		fmt.Sprint(i % 500), []string{"Acme", "Globex", "Stark"}[i%3], fmt.Sprint(45000 + i%1000),
		fmt.Sprintf("a note on %d", i), fmt.Sprint(i % 2), fmt.Sprint(i * 7), "EUR",
	}
}

// textTable writes the table as a CSV file, and returns its path.
func (l *lab) textTable(rows int) (string, error) {
	return l.written("table.csv", func(w io.Writer) error {
		fmt.Fprintln(w, strings.Join(readHeads, ","))
		for i := range rows {
			fmt.Fprintln(w, strings.Join(readRow(i), ","))
		}
		return nil
	})
}

// written writes a file of the lab, and returns its path.
func (l *lab) written(name string, write func(io.Writer) error) (string, error) {
	path := filepath.Join(l.dir, name)
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	if err := write(w); err != nil {
		return "", err
	}
	return path, w.Flush() // returns the error of any earlier write
}

const (
	sheetNS = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	linkNS  = `http://schemas.openxmlformats.org/officeDocument/2006/relationships`
	relNS   = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
)

// workbookTable writes the table in the form of Excel, and returns its path. Texts are shared, in the
// order of their first cells. One column has its texts in the cells, as other programs write them.
func (l *lab) workbookTable(rows int) (string, error) {
	return l.written("table.xlsx", func(w io.Writer) error {
		z := zip.NewWriter(w)
		texts := &sharedTexts{places: map[string]int{}}
		for _, part := range []struct {
			name  string
			write func(io.Writer) error
		}{
			{"[Content_Types].xml", fixed(contentTypes)},
			{"_rels/.rels", fixed(relNS + link("officeDocument", "xl/workbook.xml", 1) + "</Relationships>")},
			{"xl/workbook.xml", fixed(`<workbook ` + sheetNS + ` xmlns:r="` + linkNS +
				`"><sheets><sheet name="Table" sheetId="1" r:id="rId1"/></sheets></workbook>`)},
			{"xl/_rels/workbook.xml.rels", fixed(relNS + link("worksheet", "worksheets/sheet1.xml", 1) +
				link("sharedStrings", "sharedStrings.xml", 2) + link("styles", "styles.xml", 3) + "</Relationships>")},
			{"xl/styles.xml", fixed(`<styleSheet ` + sheetNS + `><cellXfs><xf numFmtId="0"/>` +
				`<xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`)},
			{"xl/worksheets/sheet1.xml", func(w io.Writer) error { return texts.sheet(w, rows) }},
			{"xl/sharedStrings.xml", texts.write},
		} {
			out, err := z.Create(part.name)
			if err != nil {
				return err
			}
			if err := part.write(out); err != nil {
				return err
			}
		}
		return z.Close()
	})
}

const contentTypes = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
	`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
	`<Default Extension="xml" ContentType="application/xml"/></Types>`

func fixed(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func link(kind, target string, n int) string {
	return fmt.Sprintf(`<Relationship Id="rId%d" Type="%s/%s" Target="%s"/>`, n, linkNS, kind, target)
}

// sharedTexts holds the texts to which cells refer.
type sharedTexts struct {
	places map[string]int
	list   []string
}

func (s *sharedTexts) place(text string) int {
	at, ok := s.places[text]
	if !ok {
		at = len(s.list)
		s.places[text], s.list = at, append(s.list, text)
	}
	return at
}

func (s *sharedTexts) write(w io.Writer) error {
	fmt.Fprintf(w, `<sst %s count="%d" uniqueCount="%d">`, sheetNS, len(s.list), len(s.list))
	for _, text := range s.list {
		fmt.Fprintf(w, "<si><t>%s</t></si>", text)
	}
	_, err := io.WriteString(w, "</sst>")
	return err
}

func (s *sharedTexts) sheet(w io.Writer, rows int) error {
	fmt.Fprintf(w, `<worksheet %s><sheetData>`, sheetNS)
	s.row(w, 1, readHeads, strings.Repeat("s", len(readHeads)))
	for i := range rows {
		s.row(w, i+2, readRow(i), readKinds)
	}
	_, err := io.WriteString(w, "</sheetData></worksheet>")
	return err
}

// row writes one row. The buffered writer returns write errors at the end.
func (s *sharedTexts) row(w io.Writer, n int, cells []string, kinds string) {
	fmt.Fprintf(w, `<row r="%d" spans="1:10">`, n)
	for i, text := range cells {
		ref := fmt.Sprintf("%c%d", 'A'+i, n)
		switch kinds[i] {
		case 's':
			fmt.Fprintf(w, `<c r="%s" t="s"><v>%d</v></c>`, ref, s.place(text))
		case 'i':
			fmt.Fprintf(w, `<c r="%s" t="inlineStr"><is><t>%s</t></is></c>`, ref, text)
		case 'd':
			fmt.Fprintf(w, `<c r="%s" s="1"><v>%s</v></c>`, ref, text)
		default:
			fmt.Fprintf(w, `<c r="%s"><v>%s</v></c>`, ref, text)
		}
	}
	fmt.Fprint(w, "</row>")
}
