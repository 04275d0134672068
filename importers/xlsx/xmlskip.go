package xlsx

import (
	"bytes"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// declaration reads markup that starts with "<!". It skips a comment, returns CDATA as text, and
// rejects everything else, such as a DOCTYPE.
func (x *xmlScanner) declaration() (token, error) {
	for x.end-x.pos < len("<![CDATA[") {
		if err := x.fill(); err != nil {
			return tokenEOF, x.cut(err)
		}
	}
	head := x.buf[x.pos:x.end]
	switch {
	case bytes.HasPrefix(head, []byte("<!--")):
		return tokenEOF, x.skipPast("-->", 4)
	case bytes.HasPrefix(head, []byte("<![CDATA[")) && len(x.marks) > 0:
		n, err := x.until("]]>", 9)
		if err != nil {
			return tokenEOF, err
		}
		x.text, x.raw = x.buf[x.pos+9:x.pos+n], true
		x.pos += n + 3
		return tokenText, nil
	}
	return tokenEOF, unsafeXML(x.part)
}

func unsafeXML(part string) *tabular.Problem {
	return tabular.Problemf(tabular.CodeUnsafeFile,
		"The workbook holds a document type declaration in its part %q. "+
			"No spreadsheet program writes that, and it may be an attack. "+
			"Copy the rows into a new workbook and upload that.", part)
}

// instruction skips a "<?…?>" and checks the encoding that it declares.
func (x *xmlScanner) instruction() error {
	n, err := x.until("?>", 2)
	if err != nil {
		return err
	}
	decl := string(x.buf[x.pos : x.pos+n])
	x.pos += n + 2
	if !strings.HasPrefix(decl, "<?xml ") {
		return nil
	}
	_, enc, ok := strings.Cut(decl, "encoding")
	if !ok {
		return nil
	}
	switch enc = strings.ToLower(strings.Trim(enc, " \t\r\n=\"'")); {
	case strings.HasPrefix(enc, "utf-8"), strings.HasPrefix(enc, "utf8"),
		strings.HasPrefix(enc, "utf-16"), strings.HasPrefix(enc, "us-ascii"):
		return nil
	}
	return x.damaged("the text encoding %q is not one of a workbook", enc)
}

func (x *xmlScanner) skipPast(mark string, skip int) error {
	n, err := x.until(mark, skip)
	x.pos += n + len(mark)
	return err
}

// skip reads up to the end of the element whose start tag was just read.
func (x *xmlScanner) skip() error {
	for depth := 1; depth > 0; {
		tok, err := x.next()
		if err != nil {
			return err
		}
		switch tok {
		case tokenStart:
			depth++
		case tokenEnd:
			depth--
		}
	}
	return nil
}

// blankText returns an error unless the current text is blank. Other text between the elements of a
// sheet would be lost.
func (x *xmlScanner) blankText() error {
	if skipBlanks(x.text, 0) < len(x.text) {
		return x.damaged("there is text where only elements belong")
	}
	return nil
}

// enter reads up to the start of the root element and checks its name.
func (x *xmlScanner) enter(name string) error {
	tok, err := x.next()
	if err != nil {
		return err
	}
	if tok != tokenStart || string(local(x.name)) != name {
		return x.damaged("the root element is not %q", name)
	}
	return nil
}
