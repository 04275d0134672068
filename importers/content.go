package importers

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// Codes of uploads that are packed.
const (
	// CodeNestedArchive means a compressed file inside another.
	CodeNestedArchive = "NESTED_ARCHIVE"
	// CodeSeveralFiles means a zip archive with more than one file in it.
	CodeSeveralFiles = "ARCHIVE_OF_SEVERAL_FILES"
)

const gzipMagic = "\x1F\x8B"

// content is what an upload holds, unpacked if it was packed. Close it.
type content struct {
	up   *upload
	name string
	head []byte     // its beginning, up to sniffSize
	book *container // nil if it is no zip file
	file *os.File   // what was unpacked, without a name; nil if nothing was
}

// openContent looks at an upload. A gzip file, or a zip file that holds one
// file and is no workbook, is unpacked; once, for a packed file in a packed
// file may be an attack. What is neither text nor a workbook is refused.
func openContent(up *upload, name string, l Limits) (*content, error) {
	c := &content{up: up, name: name}
	err := c.look(l)
	if err == nil {
		err = c.unpack(l)
	}
	if err == nil && c.book == nil {
		err = refuseByContent(c.up, c.head)
	}
	if err != nil {
		return nil, either(up.blame(c.up.blame(err)), c.close())
	}
	return c, nil
}

// look reads the beginning, and the list of contents of a zip file.
func (c *content) look(l Limits) (err error) {
	if c.head, err = c.up.head(sniffSize); err != nil {
		return err
	}
	if len(bytes.Trim(c.head, "\xEF\xBB\xBF \t\r\n\x00")) == 0 && c.up.size <= sniffSize {
		return problemf(CodeEmptyFile, "The file is empty.")
	}
	if len(c.head) > 3 && string(c.head[:2]) == "PK" && c.head[2] < 9 {
		c.book, err = openContainer(c.up, l)
	}
	return err
}

// packed tells whether there is a file inside that could be read.
func (c *content) packed() bool {
	return strings.HasPrefix(string(c.head), gzipMagic) || c.book != nil && !c.book.workbook
}

func (c *content) unpack(l Limits) (err error) {
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
		return fmt.Errorf("importers: unpack: %w", err)
	}
	c.up, c.name, c.book = &upload{r: c.file, size: info.Size()}, name, nil
	if err := c.look(l); err != nil {
		return err
	}
	if c.packed() {
		return problemf(CodeNestedArchive, "The upload is a packed file inside of a packed file. "+
			"Unpack it and upload the file itself.")
	}
	return c.refuseBook()
}

// refuseBook names documents of other programs that are zip files too.
func (c *content) refuseBook() error {
	if c.book == nil {
		return nil
	}
	return refuseZip(c.book)
}

// unzip unpacks the only file of a zip archive.
func (c *content) unzip(l Limits) (name string, f *os.File, err error) {
	if err := refuseZip(c.book); err != nil {
		return "", nil, err
	}
	names := c.book.inside()
	switch len(names) {
	case 0:
		return "", nil, problemf(CodeEmptyFile, "The zip archive holds no file.")
	case 1:
	default:
		return "", nil, severalFiles(names)
	}
	p, err := newPart(c.book, c.book.files[strings.ToLower(names[0])])
	if err != nil {
		return "", nil, err
	}
	f, err = spool(p, l)
	return names[0], f, c.up.blame(err)
}

func severalFiles(names []string) *Problem {
	var shown []string
	for _, name := range names[:min(len(names), 10)] {
		shown = append(shown, fmt.Sprintf("%.100q", name))
	}
	if len(names) > len(shown) {
		shown = append(shown, "…")
	}
	return problemf(CodeSeveralFiles, "The zip archive holds %d files: %s. "+
		"Upload them one by one.", len(names), strings.Join(shown, ", "))
}

// close frees the unpacked file.
func (c *content) close() error {
	if c.file == nil {
		return nil
	}
	f := c.file
	c.file = nil
	return f.Close()
}
