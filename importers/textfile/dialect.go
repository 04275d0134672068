package textfile

import (
	"bytes"
	"io"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// dialectRows is the maximum number of records from which the delimiter is guessed.
const dialectRows = 50

// Options holds the options for reading a text.
type Options struct {
	// Name is the file name of the upload. If several delimiters fit the text equally well, the ending of
	// the name decides.
	Name string
	// Delimiter is the ASCII character that separates the cells. For 0 or an unusable character, Open
	// reads it from a first line such as "sep=;" or, without one, guesses it from the content.
	Delimiter rune
	// Limits bounds the contents of the text, with its defaults set.
	Limits tabular.Limits
}

// Open opens a text in a character set. It calls `warn` if the character set was guessed and is not
// UTF-8. The reader calls `warn` at the first quotation mark in the middle of a cell.
func Open(up *tabular.Upload, set Charset, opt Options, warn func(string)) (*Reader, error) {
	if set.guessed {
		warn(words.English("warning.not_unicode", map[string]string{"charset": set.Name}))
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
	text, delim, declared := declaredDelimiter(sample)
	if !declared || usable(opt.Delimiter) {
		delim = pickDelimiter(text, int64(n) < sampleSize, opt)
	}
	rows := newReader(io.MultiReader(bytes.NewReader(text), in), delim, opt.Limits, warn)
	rows.coded = set.encoding != nil
	if declared {
		rows.line = 2
	}
	return rows, nil
}

// Delimiter returns the character between the cells.
func (c *Reader) Delimiter() rune { return rune(c.delim) }

// declaredDelimiter returns the delimiter that a first line such as "sep=;" declares for Excel, and the
// text after the line. Without such a line, it returns the whole sample.
func declaredDelimiter(sample []byte) (rest []byte, delim byte, declared bool) {
	line, rest, ok := bytes.Cut(sample, []byte("\n"))
	line = bytes.Trim(bytes.TrimSuffix(line, []byte("\r")), `"`)
	if ok && len(line) == len("sep=;") && bytes.EqualFold(line[:4], []byte("sep=")) && usable(rune(line[4])) {
		return rest, line[4], true
	}
	return sample, 0, false
}

// usable reports whether a character can be the delimiter. It can if it is ASCII and not 0, a quotation
// mark, CR or LF.
func usable(delim rune) bool {
	return delim > 0 && delim < 0x80 && !strings.ContainsRune("\"\r\n", delim)
}

// pickDelimiter returns the requested delimiter, if it is usable. Otherwise it returns the delimiter with
// the best delimiterScore. For equal scores the file name decides.
func pickDelimiter(sample []byte, whole bool, opt Options) byte {
	if usable(opt.Delimiter) {
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

// delimiterScore returns how well a delimiter fits the sample. The score depends mostly on how many
// records have the most common number of cells, and then on that number. Quotation marks in the middle of
// a cell reduce the score. The score is 0 if the delimiter splits no record.
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

// IsDelimiter reports whether s is a tab or one printable ASCII character, other than a letter, a digit,
// a blank, " and '.
func IsDelimiter(s string) bool {
	if len(s) != 1 {
		return false
	}
	c := s[0]
	return c == '\t' || c > ' ' && c < 0x7f && c != '"' && c != '\'' &&
		!(c >= '0' && c <= '9') && !(c|0x20 >= 'a' && c|0x20 <= 'z')
}
