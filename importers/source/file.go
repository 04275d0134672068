package source

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/importers/textfile"
	"github.com/rollcall-dev/rollcall/importers/xlsx"
)

// These are the codes of problems of packed uploads.
const (
	// CodeNestedArchive means that a compressed file contains another compressed file.
	CodeNestedArchive = "NESTED_ARCHIVE"
	// CodeSeveralFiles means that a zip archive contains more than one file.
	CodeSeveralFiles = "ARCHIVE_OF_SEVERAL_FILES"
)

const gzipMagic = "\x1F\x8B"

// File is a recognized upload, unpacked if it was packed. It can be read several times, by one
// reader at a time. The caller closes it.
type File struct {
	up   *tabular.Upload
	name string
	head []byte          // beginning of the file, up to sniffSize
	book *xlsx.Container // nil if the file is no zip file
	file *os.File        // unnamed temporary file with the unpacked upload; nil if it was not packed

	format  string            // format of rows in JSON; empty for a table
	jsonSet textfile.Charset  // character set of rows in JSON
	textSet *textfile.Charset // character set of a text table, once it was found
	asked   string            // the name for which textSet was found
}

// unpackFile unpacks a gzip file, or a zip file that contains one file and is not a workbook. It
// rejects a packed file inside a packed file, which may be an attack. It also rejects content
// whose format is not supported.
func unpackFile(up *tabular.Upload, name string, l tabular.Limits) (*File, error) {
	c := &File{up: up, name: name}
	err := c.readHead(l)
	if err == nil {
		err = c.unpack(l)
	}
	if err == nil && c.book == nil {
		err = refuseByContent(c.up, c.head)
	}
	if err != nil {
		return nil, tabular.FirstErr(up.IOErr(c.up.IOErr(err)), c.Close())
	}
	return c, nil
}

// readHead reads the beginning of the file and, for a zip file, its list of contents.
func (c *File) readHead(l tabular.Limits) (err error) {
	if c.head, err = c.up.Head(sniffSize); err != nil {
		return err
	}
	if len(bytes.Trim(c.head, "\xEF\xBB\xBF \t\r\n\x00")) == 0 && c.up.Size <= sniffSize {
		return tabular.Problemf(tabular.CodeEmptyFile, "The file is empty. Choose a file with headings and rows.")
	}
	if len(c.head) > 3 && string(c.head[:2]) == "PK" && c.head[2] < 9 {
		c.book, err = xlsx.OpenContainer(c.up, l)
	}
	return err
}

// packed reports whether the file is a gzip file, or a zip file other than a workbook.
func (c *File) packed() bool {
	return strings.HasPrefix(string(c.head), gzipMagic) || c.book != nil && !c.book.IsWorkbook
}

func (c *File) unpack(l tabular.Limits) (err error) {
	if !c.packed() {
		return c.refuseBook()
	}
	name := c.name
	if c.book == nil {
		if suffix := len(name) - len(".gz"); suffix > 0 && strings.EqualFold(name[suffix:], ".gz") {
			name = name[:suffix]
		}
		c.file, err = gunzip(c.up, l)
	} else {
		name, c.file, err = c.unzip(l)
	}
	if err != nil {
		return err
	}
	info, err := c.file.Stat()
	if err != nil {
		return fmt.Errorf("unpack: %w", err)
	}
	c.up, c.name, c.book = tabular.NewUpload(c.file, info.Size()), name, nil
	if err := c.readHead(l); err != nil {
		return err
	}
	if c.packed() {
		return tabular.Problemf(CodeNestedArchive, "The upload is a packed file inside of a packed file. "+
			"Unpack it and upload the file itself.")
	}
	return c.refuseBook()
}

// refuseBook returns a problem if a zip file is a document of another program.
func (c *File) refuseBook() error {
	if c.book == nil {
		return nil
	}
	return refuseZip(c.book)
}

// unzip unpacks the only file of a zip archive.
func (c *File) unzip(l tabular.Limits) (name string, f *os.File, err error) {
	if err := refuseZip(c.book); err != nil {
		return "", nil, err
	}
	names := c.book.Inside()
	switch len(names) {
	case 0:
		return "", nil, tabular.Problemf(tabular.CodeEmptyFile, "The zip archive holds no file. Choose a file with headings and rows.")
	case 1:
	default:
		return "", nil, severalFiles(names)
	}
	p, err := c.book.Entry(names[0])
	if err != nil {
		return "", nil, err
	}
	f, err = spool(p, l)
	return names[0], f, c.up.IOErr(err)
}

func severalFiles(names []string) *tabular.Problem {
	var shown []string
	for _, name := range names[:min(len(names), 10)] {
		shown = append(shown, fmt.Sprintf("%.100q", name))
	}
	if len(names) > len(shown) {
		shown = append(shown, "…")
	}
	return tabular.Problemf(CodeSeveralFiles, "The zip archive holds %d files: %s. "+
		"Upload them one by one.", len(names), strings.Join(shown, ", "))
}

// Close deletes the temporary unpacked file. The upload stays open, because it belongs to the
// caller.
func (c *File) Close() error {
	if c.file == nil {
		return nil
	}
	f := c.file
	c.file = nil
	return f.Close()
}
