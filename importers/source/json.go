package source

import (
	"io"

	"github.com/rollcall-dev/rollcall/importers/jsonrows"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/importers/textfile"
)

// JSON is a reader of the rows of a file of JSON objects, from the first row. It is not safe for
// concurrent use.
type JSON struct {
	jsonrows.Reader
	Format   string // jsonl or json
	Encoding string // character set of the text
	up       *tabular.Upload
}

// findJSON detects whether the file contains rows in JSON, and in which format. The argument `known` is the
// format that the task of the file has stored, or "". With a known format, findJSON detects nothing.
func (c *File) findJSON(encoding, known string) error {
	if c.book != nil {
		if known != "" {
			return tabular.Damaged("", "it holds no rows in JSON")
		}
		return nil
	}
	set, ok, err := textfile.DeclaredCharset(c.head, encoding)
	if err != nil {
		return err
	}
	if !ok {
		set.Name = "utf-8"
	}
	if c.format, c.jsonSet = known, set; known != "" {
		return nil
	}
	head := make([]byte, len(c.head))
	n, _ := io.ReadFull(set.Reader(c.up), head) // IOErr returns the error
	c.format, _ = jsonrows.Detect(head[:n])
	return c.up.IOErr(c.up.Err)
}

// Rows returns a reader of the rows in JSON, from the first row, or nil if the file is a table.
func (c *File) Rows() *JSON {
	j := &JSON{Format: c.format, Encoding: c.jsonSet.Name, up: c.up}
	switch c.format {
	case "":
		return nil
	case jsonrows.FormatList:
		j.Reader = jsonrows.NewList(c.jsonSet.Reader(c.up))
	default:
		j.Reader = jsonrows.NewLines(c.jsonSet.Reader(c.up))
	}
	return j
}

// Next returns the text of the next row, which is valid until the next call. It returns io.EOF only
// if the file is complete.
func (j *JSON) Next() ([]byte, error) {
	text, err := j.Reader.Next()
	return text, j.up.IOErr(err)
}
