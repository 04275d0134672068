package textfile

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// sampleSize is the number of bytes at the start of a text file from which its character set is
// detected.
const sampleSize = 64 << 10

// Charset is the character set of a text, with its decoder to UTF-8.
type Charset struct {
	Name     string
	skip     int64             // bytes of the byte order mark
	encoding encoding.Encoding // nil for UTF-8
	guessed  bool
}

// boms are the byte order marks, with their character sets.
var boms = []struct{ mark, name string }{
	{"\xEF\xBB\xBF", "utf-8"},
	{"\xFF\xFE", "utf-16le"},
	{"\xFE\xFF", "utf-16be"},
}

// FindCharset returns the declared or requested character set of a text. Without either, it guesses the
// character set. If the guess is not certain, it returns a *tabular.Problem with the likeliest choices.
func FindCharset(up *tabular.Upload, asked string) (Charset, error) {
	head, err := up.Head(sampleSize)
	if err != nil {
		return Charset{}, err
	}
	if set, declared, err := DeclaredCharset(head, asked); declared || err != nil {
		return set, err
	}
	return guessCharset(up, head)
}

// DeclaredCharset returns the character set of the byte order mark or, without one, the requested
// character set. Without either, it returns UTF-16 if the text has the bytes 0 of Latin letters in
// UTF-16, and otherwise false. For UTF-32LE with a byte order mark, and for an unknown name, it returns
// a *tabular.Problem.
func DeclaredCharset(head []byte, asked string) (set Charset, declared bool, err error) {
	if bytes.HasPrefix(head, []byte("\xFF\xFE\x00\x00")) {
		return Charset{}, false, unknownEncoding("UTF-32")
	}
	for _, b := range boms {
		if bytes.HasPrefix(head, []byte(b.mark)) {
			set, err = named(b.name, int64(len(b.mark)))
			return set, true, err
		}
	}
	if asked == "" {
		asked = utf16Name(head)
	}
	if asked == "" {
		return Charset{}, false, nil
	}
	set, err = named(asked, 0)
	return set, true, err
}

// named returns the character set with a WHATWG name, or a *tabular.Problem for an unknown name.
func named(name string, skip int64) (Charset, error) {
	switch name {
	case "utf-16le":
		return Charset{Name: name, skip: skip, encoding: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)}, nil
	case "utf-16be":
		return Charset{Name: name, skip: skip, encoding: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)}, nil
	}
	enc, err := htmlindex.Get(name)
	if err != nil || enc == encoding.Replacement {
		return Charset{}, tabular.Problemf(tabular.CodeUnknownEncoding,
			"There is no character set named %q. Try utf-8 or windows-1252.", name)
	}
	if enc == unicode.UTF8 {
		return Charset{Name: "utf-8", skip: skip}, nil
	}
	if canonical, err := htmlindex.Name(enc); err == nil {
		name = canonical
	}
	return Charset{Name: name, skip: skip, encoding: enc}, nil
}

// IsCharset reports whether a character set with the given WHATWG name exists.
func IsCharset(name string) bool {
	_, err := named(name, 0)
	return err == nil
}

// utf16Name returns the name of the UTF-16 variant of a text without a byte order mark, or "" for
// another text. It detects UTF-16 by the bytes 0 of Latin letters.
func utf16Name(head []byte) string {
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	enough := len(head) / 8
	switch {
	case zeros[1] > enough && zeros[0] <= zeros[1]/16:
		return "utf-16le"
	case zeros[0] > enough && zeros[1] <= zeros[0]/16:
		return "utf-16be"
	}
	return ""
}

// guessCharset guesses the character set from the start of the file and, if the file is larger, from
// eight further parts. It returns UTF-8 if the text has at least three characters of several bytes for
// each byte that is not UTF-8. It also returns UTF-8 if byteStats counts all bytes that are not UTF-8 as
// rare. In all other cases, it returns a certain guess or a *tabular.Problem. For a file that is not a
// text, it also returns a *tabular.Problem.
func guessCharset(up *tabular.Upload, head []byte) (Charset, error) {
	t := byteStats{}
	t.add(head, false, int64(len(head)) < up.Size)
	const places = 8
	window := make([]byte, 16<<10)
	for i := int64(1); i <= places && up.Size > sampleSize; i++ {
		n, _ := up.ReadAt(window, (up.Size-int64(len(window)))*i/places)
		t.add(window[:n], true, i < places)
	}
	switch {
	case up.Err != nil:
		return Charset{}, up.IOErr(up.Err)
	case t.control > 32 && t.control*10 > t.bytes:
		return Charset{}, tabular.Unsupported("neither a workbook nor text")
	case t.broken == t.rare || t.multi >= 3*t.broken:
		return Charset{Name: "utf-8"}, nil
	}
	western := t.runs*5 <= t.high && t.high*5 <= 2*(t.letters+t.high)
	name, candidates := guessed(t.evidence, western)
	if name == "" {
		return Charset{}, severalEncodings(t.evidence, candidates)
	}
	set, err := named(name, 0)
	set.guessed = true
	return set, err
}

func unknownEncoding(what string) *tabular.Problem {
	return tabular.Problemf(tabular.CodeUnknownEncoding, "The character set of the file (%s) is not supported. "+
		"Save it in Excel as \"CSV UTF-8\", or choose the character set.", what)
}

// severalEncodings returns the problem that several character sets fit the text. The problem shows a
// line of the file in each of them. If no character set can decode the line, the problem is that the
// character set is unknown.
func severalEncodings(evidence []byte, candidates []string) *tabular.Problem {
	line, _, _ := bytes.Cut(evidence, []byte("\n"))
	var shown []string
	for _, name := range candidates {
		set, err := named(name, 0)
		if err != nil {
			continue
		}
		text, err := set.encoding.NewDecoder().Bytes(line[:min(len(line), 60)])
		if err != nil {
			continue
		}
		shown = append(shown, fmt.Sprintf("%s (%.40q)", name, tabular.Showable(bytes.TrimSpace(text), 60)))
	}
	if len(shown) == 0 {
		return unknownEncoding("not Unicode")
	}
	p := tabular.Problemf(tabular.CodeUnknownEncoding, "The character set of the file could not be determined. It may be %s. "+
		"Choose the one that shows the text correctly, or save the file in Excel as \"CSV UTF-8\".",
		strings.Join(shown, ", or "))
	p.Choices = candidates
	return p
}

// Reader returns a reader of the text in UTF-8. It leaves out the byte order mark and the end marks of DOS.
func (c Charset) Reader(up *tabular.Upload) io.Reader {
	raw := io.NewSectionReader(up, c.skip, up.Size-c.skip-endMarks(up))
	if c.encoding == nil {
		return raw
	}
	return transform.NewReader(raw, c.encoding.NewDecoder())
}

// endMark is Ctrl-Z, the byte that ends a text file of DOS.
const endMark = 0x1A

// endMarks returns the number of end marks of DOS (Ctrl+Z) at the end of an upload, at most 128.
// Old programs fill the last block of 128 bytes with them.
func endMarks(up *tabular.Upload) (n int64) {
	tail := make([]byte, min(128, up.Size))
	_, _ = up.ReadAt(tail, up.Size-int64(len(tail))) // IOErr returns the error
	for len(tail) > 0 && tail[len(tail)-1] == endMark {
		tail, n = tail[:len(tail)-1], n+1
	}
	return n
}
