package textfile

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// dialectRows is the number of records that decide about the delimiter.
const dialectRows = 50

// Options describes a text.
type Options struct {
	// Name is the file name as it was uploaded. It decides between delimiters that explain the text
	// equally well.
	Name string
	// Delimiter separates the cells: a character of ASCII. 0: found by the content.
	Delimiter rune
	// Limits bounds the contents of the text, with its defaults set.
	Limits tabular.Limits
}

// Open prepares a text in a character set for reading. The reader calls warn with each decision that
// it makes without the user.
func Open(up *tabular.Upload, set Charset, opt Options, warn func(string)) (*Reader, error) {
	if set.guessed {
		warn(fmt.Sprintf("The file is not Unicode: it was read as %s. "+
			"Check the letters that are not English, choose another encoding, "+
			"or save it as \"CSV UTF-8\".", set.Name))
	}
	in := set.Reader(up)
	sample := make([]byte, sampleSize)
	n, err := io.ReadFull(in, sample)
	switch {
	case up.Err != nil:
		return nil, up.Err
	case err != nil && err != io.EOF && err != io.ErrUnexpectedEOF:
		return nil, err
	}
	sample = sample[:n]
	text, delim, told := toldDelimiter(sample)
	if !told || opt.Delimiter > 0 {
		delim = pickDelimiter(text, int64(n) < sampleSize, opt)
	}
	rows := newReader(io.MultiReader(bytes.NewReader(text), in), delim, opt.Limits, warn)
	rows.coded = set.encoding != nil
	if told {
		rows.line = 2
	}
	return rows, nil
}

// Delimiter returns the character between the cells.
func (c *Reader) Delimiter() rune { return rune(c.delim) }

// toldDelimiter reads the first line "sep=;", which declares the delimiter for Excel.
func toldDelimiter(sample []byte) (rest []byte, delim byte, told bool) {
	line, rest, ok := bytes.Cut(sample, []byte("\n"))
	line = bytes.Trim(bytes.TrimSuffix(line, []byte("\r")), `"`)
	if ok && len(line) == len("sep=;") && bytes.EqualFold(line[:4], []byte("sep=")) {
		return rest, line[4], true
	}
	return sample, 0, false
}

// pickDelimiter returns the delimiter that gives the records of the sample the most equal numbers of
// cells, and prefers the requested one.
func pickDelimiter(sample []byte, whole bool, opt Options) byte {
	if opt.Delimiter > 0 && opt.Delimiter < 0x80 && !strings.ContainsRune("\"\r\n", opt.Delimiter) {
		return byte(opt.Delimiter)
	}
	candidates := []byte(",;\t|")
	if name := strings.ToLower(opt.Name); strings.HasSuffix(name, ".tsv") ||
		strings.HasSuffix(name, ".tab") {
		candidates = []byte("\t,;|")
	}
	best, most := candidates[0], 0
	for _, delim := range candidates {
		if score := delimiterScore(sample, delim, whole); score > most {
			best, most = delim, score
		}
	}
	return best
}

// delimiterScore returns how well a delimiter explains the sample. The number of records with the
// commonest number of cells counts most, then that number of cells. Quotation marks in the middle of a
// cell reduce the score. 0 means that the delimiter splits no record.
func delimiterScore(sample []byte, delim byte, whole bool) int {
	limit := tabular.Limits{Columns: tabular.MaxColumn}.WithDefaults()
	rows := newReader(bytes.NewReader(sample), delim, limit, func(string) {})
	counts := map[int]int{}
	for range dialectRows {
		row, err := rows.Next()
		if err != nil || !whole && !rows.more() {
			break // the last record may be cut off
		}
		if !row.Blank() {
			counts[row.Width]++
		}
	}
	score := 0
	for width, n := range counts {
		if width > 1 {
			score = max(score, n*1000+min(width, 999)-rows.strays)
		}
	}
	return score
}

// IsDelimiter reports whether s is one character that can stand between cells.
func IsDelimiter(s string) bool {
	if len(s) != 1 {
		return false
	}
	c := s[0]
	return c == '\t' || c > ' ' && c < 0x7f && c != '"' && c != '\'' &&
		!(c >= '0' && c <= '9') && !(c|0x20 >= 'a' && c|0x20 <= 'z')
}
