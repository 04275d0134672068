package importers

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rollcall-dev/rollcall/worker"
)

// FormatJSON is the format of a file with one list of JSON objects.
const FormatJSON = "json"

// CodeOptionUnfit means an option that means nothing for this kind of file.
const CodeOptionUnfit = "OPTION_UNFIT"

// jsonReader is the rows of a file as JSON texts.
type jsonReader interface {
	// next returns a row, good until the next call; io.EOF only at the proved
	// end. With errLongLine the text is the beginning of a row too large.
	next() ([]byte, error)
	// at is the number of that row: its line, or its place in the list.
	at() int
}

// jsonFile is an open upload whose rows are JSON objects. Close it.
type jsonFile struct {
	jsonReader
	content  *content
	format   string
	encoding string
}

// jsonFormat tells whether a text is rows in JSON, and in which form.
func jsonFormat(text []byte) (format string, ok bool) {
	text = bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF")), " \t\r\n")
	if len(text) == 0 {
		return "", false
	}
	inner := bytes.TrimLeft(text[1:], " \t\r\n")
	switch {
	case len(inner) == 0:
		return "", false
	case text[0] == '{':
		return FormatJSONLines, inner[0] == '"' || inner[0] == '}'
	}
	return FormatJSON, text[0] == '[' && strings.IndexByte("{[]", inner[0]) >= 0
}

// readJSON makes rows in JSON ready to be read; nil if it is another text.
// format is what is known of it, empty for nothing.
func readJSON(c *content, opt OpenOptions, format string) (*jsonFile, error) {
	if c.book != nil {
		return nil, nil
	}
	set, ok, err := toldCharset(c.head, opt.Encoding)
	if err != nil {
		return nil, err
	}
	if !ok {
		set.name = "utf-8"
	}
	j := &jsonFile{content: c, format: format, encoding: set.name}
	if format == "" {
		head := make([]byte, len(c.head))
		n, _ := io.ReadFull(set.reader(c.up), head) // blame knows the error
		if j.format, ok = jsonFormat(head[:n]); !ok || c.up.err != nil {
			return nil, c.up.blame(c.up.err)
		}
	}
	if j.format == FormatJSON {
		j.jsonReader = newList(set.reader(c.up))
	} else {
		j.jsonReader = newLines(set.reader(c.up))
	}
	return j, nil
}

func (j *jsonFile) next() ([]byte, error) {
	text, err := j.jsonReader.next()
	return text, j.content.up.blame(err)
}

func (j *jsonFile) close() error { return j.content.close() }

// inspect looks at the first row.
func (j *jsonFile) inspect(kind worker.Kind, opt Options) (Inspection, error) {
	if opt.Sheet != "" || opt.HeaderRow != 0 || len(opt.Mapping) > 0 || opt.Delimiter != "" || opt.Decimal != "" {
		return Inspection{}, problemf(CodeOptionUnfit, "The file holds rows in JSON, which name "+
			"their fields: sheet, header_row, delimiter, decimal and mapping mean nothing for it.")
	}
	in, err := inspectRow(j, kind)
	in.Format, in.Encoding = j.format, j.encoding
	return in, err
}

// inspectRow looks at the first row. What is wrong with it is a *Problem.
func inspectRow(rows jsonReader, kind worker.Kind) (Inspection, error) {
	text, err := rows.next()
	var file *Problem
	switch {
	case err == io.EOF:
		return Inspection{}, problemf(CodeEmptyFile, "There are no rows: send JSON objects, "+
			"one a line, or a list of them.")
	case errors.Is(err, errLongLine):
		return Inspection{}, &Problem{
			Code: worker.CodeRowTooLarge, Row: rows.at(), Detail: "The first row is too large.",
		}
	case errors.As(err, &file):
		return Inspection{}, err
	case err != nil:
		return Inspection{}, fmt.Errorf("importers: read upload: %w", err)
	}
	var bad *Malformed
	if errors.As(CheckJSONRow(text), &bad) {
		p := &Problem{
			Code: bad.Code, Row: rows.at(),
			Detail: "The first row cannot be read: there must be a JSON object in each line, " +
				"or one list of them. " + bad.Detail,
		}
		p.Errors = []Fault{{Row: rows.at(), Code: bad.Code, Detail: bad.Detail}}
		return Inspection{}, p
	}
	return Inspection{Columns: JSONColumns(kind)}, nil
}
