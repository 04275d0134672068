package source

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf16"

	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/importers/xlsx"
)

// signatures maps the first bytes of files to the types of files.
var signatures = []struct{ magic, what string }{
	{"%PDF", "a PDF document"},
	{"\x89PNG", "a PNG picture"},
	{"\xFF\xD8\xFF", "a JPEG picture"},
	{"GIF8", "a GIF picture"},
	{"7z\xBC\xAF\x27\x1C", "a 7-Zip archive: unpack it first"},
	{"Rar!", "a RAR archive: unpack it first"},
	{"BZh", "a bzip2 archive: unpack it first"},
	{"\xFD7zXZ", "an xz archive: unpack it first"},
	{"\x28\xB5\x2F\xFD", "a Zstandard archive: unpack it first"},
	{"SQLite format 3", "an SQLite database"},
	{"PAR1", "a Parquet file"},
	{"{\\rtf", "an RTF document"},
}

const (
	oleMagic  = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"
	sniffSize = 4 << 10
)

// refuseByContent returns a problem if the first bytes of the file show an unsupported format. It returns
// nil if the file may be a table or rows in JSON. The caller handles zip and gzip files.
func refuseByContent(up *tabular.Upload, head []byte) error {
	if strings.HasPrefix(string(head), oleMagic) {
		return refuseOLE(up)
	}
	for _, s := range signatures {
		if strings.HasPrefix(string(head), s.magic) {
			return tabular.Unsupported(s.what)
		}
	}
	if isSYLK(head) {
		return tabular.Unsupported("a SYLK file: open it in Excel and save it as .xlsx")
	}
	return refuseMarkup(head)
}

// sylk matches the beginning of a SYLK file: a line with the name of the program, and the first record.
var sylk = regexp.MustCompile(`^ID;P[^;\r\n]*(;[NE])*\r?\n(P;P|P;F|P;E|F;[PDMWSXY]|B;[XY]|C;[XYK]|O;)`)

// isSYLK reports whether a text is a SYLK file. It returns false for a table with the headings ID and P.
func isSYLK(head []byte) bool { return sylk.Match(head) }

// refuseMarkup returns a problem if a text is HTML or XML instead of a table.
func refuseMarkup(head []byte) error {
	text := strings.ToLower(string(bytes.TrimLeft(head, "\xEF\xBB\xBF \t\r\n")))
	switch {
	case strings.HasPrefix(text, "<?xml"), strings.HasPrefix(text, "<workbook"):
		if strings.Contains(text, "urn:schemas-microsoft-com:office:spreadsheet") ||
			strings.Contains(text, "excel.sheet") {
			return tabular.Unsupported("an XML Spreadsheet 2003")
		}
		if strings.Contains(text, "<html") {
			return tabular.Unsupported("a web page (HTML)")
		}
		return tabular.Unsupported("an XML document")
	case strings.HasPrefix(text, "<!doctype"), strings.HasPrefix(text, "<html"),
		strings.HasPrefix(text, "<table"), strings.HasPrefix(text, "<head"),
		strings.HasPrefix(text, "<body"), strings.HasPrefix(text, "<meta"):
		return tabular.Unsupported("a web page (HTML)")
	}
	return nil
}

// refuseOLE returns the problem of an OLE file. The file is an encrypted workbook if it contains the
// name of an encryption stream, and otherwise an old workbook.
func refuseOLE(up *tabular.Upload) error {
	for _, stream := range []string{"EncryptedPackage", "EncryptionInfo"} {
		found, err := contains(up, utf16le(stream))
		if err != nil {
			return err
		}
		if found {
			return xlsx.PasswordProtected()
		}
	}
	return tabular.Problemf(tabular.CodeOldExcelFormat, "The file is in the old Excel format (.xls). "+
		"Open it in Excel and save it as Excel Workbook (.xlsx).")
}

func utf16le(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}

// contains reports whether the file contains a pattern.
func contains(up *tabular.Upload, pattern []byte) (bool, error) {
	buf := make([]byte, 1<<20)
	for off := int64(0); off < up.Size; off += int64(len(buf) - len(pattern)) {
		n, _ := up.ReadAt(buf, off) // IOErr returns the error
		if up.Err != nil {
			return false, up.IOErr(up.Err)
		}
		if bytes.Contains(buf[:n], pattern) {
			return true, nil
		}
	}
	return false, nil
}

// zipKinds maps names of parts to the types of zip files that have these parts.
var zipKinds = []struct{ part, what string }{
	{"xl/workbook.bin", "a binary workbook (.xlsb): save it as .xlsx"},
	{"index/document.iwa", "an Apple Numbers document: export it as Excel"},
	{"index.zip", "an Apple Numbers document: export it as Excel"},
	{"content.xml", "an OpenDocument file (.ods or similar): save it as .xlsx"},
	{"word/document.xml", "a Word document"},
	{"ppt/presentation.xml", "a PowerPoint presentation"},
}

// refuseZip returns a problem if a zip file is a document of another program.
func refuseZip(c *xlsx.Container) error {
	for _, k := range zipKinds {
		if c.Has(k.part) {
			return tabular.Unsupported(k.what)
		}
	}
	for _, name := range c.Names {
		if strings.HasSuffix(name, ".iwa") || strings.Contains(name, ".numbers/") {
			return tabular.Unsupported("an Apple Numbers document: export it as Excel")
		}
	}
	return nil
}
