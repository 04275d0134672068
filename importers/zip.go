package importers

import (
	"archive/zip"
	"bytes"
	"errors"
	"strings"
)

// container is the zip file that a workbook is. Its names were checked.
type container struct {
	up    *upload
	files map[string]*zip.File // by name in lower case
	limit Limits
	left  int64 // bytes that may still be unpacked
}

// directoryBytes bounds the list of contents: 10,000 entries with names and
// extras of 400 bytes each.
const directoryBytes = 4 << 20

// errDirectory ends the reading of a list of contents that is too long.
var errDirectory = errors.New("list of contents too long")

// metered gives out a bounded number of bytes while the list is read.
type metered struct {
	*upload
	left int64
}

func (m *metered) ReadAt(p []byte, off int64) (int, error) {
	if m.left -= int64(len(p)); m.left < 0 {
		return 0, errDirectory
	}
	return m.upload.ReadAt(p, off)
}

func openContainer(up *upload, limit Limits) (*container, error) {
	meter := &metered{up, directoryBytes}
	zr, err := zip.NewReader(meter, up.size)
	if errors.Is(err, errDirectory) {
		return nil, tooManyEntries(limit)
	}
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, up.blame(problemf(CodeDamagedFile,
			"The workbook is damaged or was not uploaded completely: "+
				"its list of contents at the end of the file cannot be read. "+
				"Save it again in Excel and upload the new copy."))
	}
	meter.left = 1 << 62
	c := &container{
		up: up, limit: limit, left: limit.Unzipped,
		files: make(map[string]*zip.File, len(zr.File)),
	}
	return c, c.admit(zr.File)
}

func tooManyEntries(limit Limits) *Problem {
	return problemf(CodeZipBomb, "The workbook holds more than %d files inside. "+
		"Copy the rows into a new workbook and upload that.", limit.Entries)
}

// admit takes in the entries, or refuses them all.
func (c *container) admit(files []*zip.File) error {
	if len(files) > c.limit.Entries {
		return tooManyEntries(c.limit)
	}
	var total uint64
	for _, f := range files {
		key := strings.ToLower(f.Name)
		switch {
		case unsafeName(f.Name):
			return problemf(CodeUnsafeFile, "The workbook holds an entry named %q, "+
				"which points outside of it. Save it again in Excel.", f.Name)
		case c.files[key] != nil:
			return problemf(CodeUnsafeFile, "The workbook holds its part %q twice, "+
				"so that programs would read different data. Save it again in Excel.", f.Name)
		case f.Flags&1 != 0:
			return passwordProtected()
		}
		if total += f.UncompressedSize64; total > uint64(c.limit.Unzipped) {
			return c.bomb()
		}
		c.files[key] = f
	}
	return nil
}

func (c *container) bomb() *Problem {
	return problemf(CodeZipBomb, "The workbook unpacks to far more than its size: "+
		"over %d times, or over %d MiB. Delete unused rows, columns and sheets, "+
		"save it and upload it again.", c.limit.Ratio, c.limit.Unzipped>>20)
}

// has tells whether there is a part of this name.
func (c *container) has(name string) bool { return c.files[strings.ToLower(name)] != nil }

// open starts to read the XML of a part.
func (c *container) open(name string) (*xmlScanner, error) {
	f := c.files[strings.ToLower(name)]
	if f == nil {
		return nil, problemf(CodeDamagedFile, "The workbook is damaged: its part %q is missing. "+
			"Open it in Excel, save it again and upload the new copy.", name)
	}
	p, err := newPart(c, f)
	if err != nil {
		return nil, err
	}
	return newXMLScanner(f.Name, p)
}

// hasDoctype looks into the first KiB of each XML part for a DOCTYPE, which
// would otherwise show only when the part is read.
func (c *container) hasDoctype() error {
	peek := newPeeker()
	for _, f := range c.files {
		name := strings.ToLower(f.Name)
		if !strings.HasSuffix(name, ".xml") && !strings.HasSuffix(name, ".rels") {
			continue
		}
		head := peek.read(f)
		if bytes.Contains(head, []byte("<!DOCTYPE")) || bytes.Contains(head, []byte("<!ENTITY")) {
			return unsafeXML(f.Name)
		}
	}
	return c.up.blame(c.up.err)
}
