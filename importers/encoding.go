package importers

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// sampleSize is how much of a text file decides about its character set.
const sampleSize = 64 << 10

// charset is how the bytes of a text file become UTF-8.
type charset struct {
	name    string
	skip    int64             // bytes of the byte order mark
	decoder *encoding.Decoder // nil for UTF-8
	guessed bool
}

// boms are the byte order marks.
var boms = []struct{ mark, name string }{
	{"\xEF\xBB\xBF", "utf-8"},
	{"\xFF\xFE", "utf-16le"},
	{"\xFE\xFF", "utf-16be"},
}

// findCharset decides about the character set: what is told, or a guess that is
// safe.
func findCharset(up *upload, asked string) (charset, error) {
	head, err := up.head(sampleSize)
	if err != nil {
		return charset{}, err
	}
	if set, told, err := toldCharset(head, asked); told || err != nil {
		return set, err
	}
	return guessCharset(up, head)
}

// toldCharset is what the mark at the beginning says, or what was asked for,
// or the zeros of UTF-16; false if none of them.
func toldCharset(head []byte, asked string) (set charset, told bool, err error) {
	if bytes.HasPrefix(head, []byte("\xFF\xFE\x00\x00")) {
		return charset{}, false, unknownEncoding("UTF-32")
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
		return charset{}, false, nil
	}
	set, err = named(asked, 0)
	return set, true, err
}

// named looks up a character set.
func named(name string, skip int64) (charset, error) {
	switch name {
	case "utf-16le":
		dec := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewDecoder()
		return charset{name: name, skip: skip, decoder: dec}, nil
	case "utf-16be":
		dec := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewDecoder()
		return charset{name: name, skip: skip, decoder: dec}, nil
	}
	enc, err := htmlindex.Get(name)
	if err != nil || enc == encoding.Replacement {
		return charset{}, problemf(CodeUnknownEncoding,
			"There is no character set named %q. Try utf-8 or windows-1252.", name)
	}
	if enc == unicode.UTF8 {
		return charset{name: "utf-8", skip: skip}, nil
	}
	if canonical, err := htmlindex.Name(enc); err == nil {
		name = canonical
	}
	return charset{name: name, skip: skip, decoder: enc.NewDecoder()}, nil
}

// utf16Name knows UTF-16 without a mark by the zeros of its Latin letters.
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

// guessCharset takes UTF-8 where most of it is that, and otherwise what explains
// the text well enough. It looks at several places of the file.
func guessCharset(up *upload, head []byte) (charset, error) {
	t := tally{}
	t.add(head, false, int64(len(head)) < up.size)
	const places = 8
	window := make([]byte, 16<<10)
	for i := int64(1); i <= places && up.size > sampleSize; i++ {
		n, _ := up.ReadAt(window, (up.size-int64(len(window)))*i/places)
		t.add(window[:n], true, i < places)
	}
	switch {
	case up.err != nil:
		return charset{}, up.blame(up.err)
	case t.control > 32 && t.control*10 > t.bytes:
		return charset{}, unsupported("neither a workbook nor text")
	case t.broken == t.rare || t.multi >= 3*t.broken:
		return charset{name: "utf-8"}, nil
	}
	western := t.runs*5 <= t.high && t.high*5 <= 2*(t.letters+t.high)
	name, candidates := guessed(t.evidence, western)
	if name == "" {
		return charset{}, severalEncodings(t.evidence, candidates)
	}
	set, err := named(name, 0)
	set.guessed = true
	return set, err
}

func unknownEncoding(what string) *Problem {
	return problemf(CodeUnknownEncoding, "The character set of the file (%s) is not known. "+
		"Save it in Excel as \"CSV UTF-8\", or choose the character set.", what)
}

// severalEncodings asks which character set it is, and shows what a line of the
// file is in each.
func severalEncodings(evidence []byte, candidates []string) *Problem {
	line, _, _ := bytes.Cut(evidence, []byte("\n"))
	var shown []string
	for _, name := range candidates {
		set, err := named(name, 0)
		if err != nil {
			continue
		}
		text, err := set.decoder.Bytes(line[:min(len(line), 60)])
		if err != nil {
			continue
		}
		shown = append(shown, fmt.Sprintf("%s (%.40q)", name, showable(bytes.TrimSpace(text), 60)))
	}
	if len(shown) == 0 {
		return unknownEncoding("not Unicode")
	}
	p := problemf(CodeUnknownEncoding, "The character set of the file is not sure. It may be %s. "+
		"Choose the one that reads right, or save the file in Excel as \"CSV UTF-8\".",
		strings.Join(shown, ", or "))
	p.Choices = candidates
	return p
}

// reader decodes the upload.
func (c charset) reader(up *upload) io.Reader {
	raw := io.NewSectionReader(up, c.skip, up.size-c.skip-endMarks(up))
	if c.decoder == nil {
		return raw
	}
	return transform.NewReader(raw, c.decoder)
}

// endMark is the byte that ends a text of DOS.
const endMark = 0x1A

// endMarks returns how many end marks of DOS stand at the end of an upload, which may
// be filled up with them to a block of 128 bytes.
func endMarks(up *upload) (n int64) {
	tail := make([]byte, min(128, up.size))
	_, _ = up.ReadAt(tail, up.size-int64(len(tail))) // blame knows the error
	for len(tail) > 0 && tail[len(tail)-1] == endMark {
		tail, n = tail[:len(tail)-1], n+1
	}
	return n
}
