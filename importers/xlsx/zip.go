package xlsx

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// Container is a zip file, such as a workbook. OpenContainer has checked the names of its entries.
type Container struct {
	up         *tabular.Upload
	files      map[string]*zip.File // by name in lower case
	Names      []string             // names of the entries, in their order
	IsWorkbook bool                 // the file is a workbook or a similar document; otherwise an archive
	limit      tabular.Limits
	left       int64 // bytes that may still be unpacked
}

// directoryBytes is the maximum size in bytes of the list of contents of a zip file. It is enough for
// 10,000 entries of 400 bytes, including their names and extra fields.
const directoryBytes = 4 << 20

// errDirectory means that the list of contents is longer than directoryBytes.
var errDirectory = errors.New("list of contents too long")

// metered is an Upload that limits how many bytes the list of contents may take.
type metered struct {
	*tabular.Upload
	left int64
}

func (m *metered) ReadAt(p []byte, off int64) (int, error) {
	if m.left -= int64(len(p)); m.left < 0 {
		return 0, errDirectory
	}
	return m.Upload.ReadAt(p, off)
}

// OpenContainer reads the list of contents of a zip file. It returns a *tabular.Problem if the file is
// damaged or encrypted, has an unsafe or repeated name, or exceeds the limits.
func OpenContainer(up *tabular.Upload, limit tabular.Limits) (*Container, error) {
	limit = limit.WithDefaults()
	meter := &metered{up, directoryBytes}
	zr, err := zip.NewReader(meter, up.Size)
	if errors.Is(err, errDirectory) {
		return nil, tooManyEntries("zip file", limit)
	}
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, up.IOErr(tabular.Problemf(tabular.CodeDamagedFile,
			"The workbook or zip archive is damaged or was not uploaded completely: "+
				"its list of contents at the end of the file cannot be read. "+
				"Save it again in Excel and upload the new copy."))
	}
	meter.left = 1 << 62
	c := &Container{
		up: up, limit: limit, left: limit.Unzipped,
		files: make(map[string]*zip.File, len(zr.File)),
	}
	for _, f := range zr.File {
		name := strings.ToLower(f.Name)
		c.IsWorkbook = c.IsWorkbook || name == "[content_types].xml" || name == "_rels/.rels"
	}
	return c, c.admit(zr.File)
}

func (c *Container) inWords() string {
	if c.IsWorkbook {
		return "workbook"
	}
	return "zip archive"
}

func tooManyEntries(what string, limit tabular.Limits) *tabular.Problem {
	return tabular.Problemf(tabular.CodeZipBomb, "The %s holds more than %d files inside. "+
		"Copy the rows into a new workbook and upload that.", what, limit.Entries)
}

// admit checks and adds all entries. It rejects the container if it has more than Limits.Entries
// entries, if its declared sizes exceed the limits, or if an entry is invalid.
func (c *Container) admit(files []*zip.File) error {
	if len(files) > c.limit.Entries {
		return tooManyEntries(c.inWords(), c.limit)
	}
	var total uint64
	for _, f := range files {
		name := strings.ReplaceAll(f.Name, "\\", "/") // some programs on Windows write backslashes
		key := strings.ToLower(name)
		switch {
		case unsafeName(name):
			return tabular.Problemf(tabular.CodeUnsafeFile, "The %s holds a part with the name %q, which no spreadsheet "+
				"program gives. Copy the rows into a new workbook and upload that.", c.inWords(), f.Name)
		case c.files[key] != nil:
			return tabular.Problemf(tabular.CodeUnsafeFile, "The %s holds its part %q twice, so that programs would read "+
				"different data. Copy the rows into a new workbook and upload that.", c.inWords(), f.Name)
		case f.Flags&1 != 0:
			return c.encrypted()
		}
		if total += f.UncompressedSize64; total > uint64(c.limit.Unzipped) || c.tooDense(f) {
			return c.bomb()
		}
		c.files[key] = f
		c.Names = append(c.Names, name)
	}
	return nil
}

// tooDense reports whether the declared sizes of a part exceed Limits.Ratio. The file is then rejected
// before its first row is read. Parts of at most tabular.FreeBytes are exempt and, in a workbook, so are
// parts that are not XML.
func (c *Container) tooDense(f *zip.File) bool {
	return (!c.IsWorkbook || strings.HasSuffix(strings.ToLower(f.Name), ".xml")) && f.UncompressedSize64 > tabular.FreeBytes &&
		f.UncompressedSize64/uint64(c.limit.Ratio) > f.CompressedSize64
}

func (c *Container) bomb() *tabular.Problem { return tabular.Bomb(c.inWords(), c.limit) }

// Inside returns the names of the files of an archive, without folders and without files that
// operating systems add.
func (c *Container) Inside() []string {
	var names []string
	for _, name := range c.Names {
		base := path.Base(name)
		if !strings.HasSuffix(name, "/") && !strings.HasPrefix(name, "__MACOSX/") &&
			base != ".DS_Store" && base != "Thumbs.db" && base != "desktop.ini" {
			names = append(names, name)
		}
	}
	return names
}

func (c *Container) encrypted() *tabular.Problem {
	if c.IsWorkbook {
		return PasswordProtected()
	}
	return tabular.Problemf(tabular.CodePasswordProtected, "The zip archive is protected by a password. "+
		"Unpack it and upload the file itself.")
}

// Has reports whether the container has a part with the given name. Case does not matter.
func (c *Container) Has(name string) bool { return c.files[strings.ToLower(name)] != nil }

// Entry returns a reader of the unpacked part with the given name. The part must exist. The reader
// returns io.EOF only if length and checksum are correct.
func (c *Container) Entry(name string) (io.Reader, error) {
	return newPart(c, c.files[strings.ToLower(name)])
}

// open opens the XML of a part.
func (c *Container) open(name string) (*xmlScanner, error) {
	f := c.files[strings.ToLower(name)]
	if f == nil {
		return nil, tabular.Problemf(tabular.CodeDamagedFile, "The workbook is damaged: its part %q is missing. "+
			"Open it in Excel, save it again and upload the new copy.", name)
	}
	p, err := newPart(c, f)
	if err != nil {
		return nil, err
	}
	return newXMLScanner(f.Name, p)
}

// hasDoctype returns a problem if the first KiB of an XML part contains a DOCTYPE or an ENTITY. The
// workbook is then rejected before its rows are read.
func (c *Container) hasDoctype() error {
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
	return c.up.IOErr(c.up.Err)
}
