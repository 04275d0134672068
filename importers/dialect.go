package importers

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// dialectRows is how many records decide about the delimiter.
const dialectRows = 50

// openText makes a text file ready to be read.
func (s *Source) openText(up *upload, opt OpenOptions) error {
	set, err := findCharset(up, opt.Encoding)
	if err != nil {
		return err
	}
	s.Encoding = set.name
	if set.guessed {
		s.warn(fmt.Sprintf("The file is not Unicode: it was read as %s. "+
			"Check the letters that are not English, choose another encoding, "+
			"or save it as \"CSV UTF-8\".", set.name))
	}
	in := set.reader(up)
	sample := make([]byte, sampleSize)
	n, err := io.ReadFull(in, sample)
	switch {
	case up.err != nil:
		return up.err
	case err == io.ErrUnexpectedEOF:
		err = io.EOF // ReadFull's word for a file shorter than the sample
	case err != nil && err != io.EOF:
		return err
	}
	sample = sample[:n]
	text, delim, told := toldDelimiter(sample)
	if !told || opt.Delimiter > 0 {
		delim = pickDelimiter(text, int64(n) < sampleSize, opt)
	}
	rows := newCSVReader(
		&tailReader{head: text, in: in, err: err}, delim, s.limit, s.warn)
	rows.coded = set.decoder != nil
	if told {
		rows.line = 2
	}
	s.rows, s.Delimiter, s.Format = rows, rune(delim), "csv"
	if delim == '\t' {
		s.Format = "tsv"
	}
	return nil
}

// toldDelimiter reads the first line "sep=;" by which Excel is told.
func toldDelimiter(sample []byte) (rest []byte, delim byte, told bool) {
	line, rest, ok := bytes.Cut(sample, []byte("\n"))
	line = bytes.Trim(bytes.TrimSuffix(line, []byte("\r")), `"`)
	if ok && len(line) == len("sep=;") && bytes.EqualFold(line[:4], []byte("sep=")) {
		return rest, line[4], true
	}
	return sample, 0, false
}

// pickDelimiter finds the delimiter that makes the records of the sample most
// alike, and prefers the one that was asked for.
func pickDelimiter(sample []byte, whole bool, opt OpenOptions) byte {
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

// delimiterScore is how well a delimiter explains the sample: the records
// with the commonest number of cells count most, then that number, less what
// it leaves unexplained. 0 means that it splits nothing.
func delimiterScore(sample []byte, delim byte, whole bool) int {
	limit := Limits{Columns: maxCol}.withDefaults()
	rows := newCSVReader(bytes.NewReader(sample), delim, limit, func(string) {})
	counts := map[int]int{}
	for range dialectRows {
		row, err := rows.next()
		if err != nil || !whole && !rows.more() {
			break // the last record may be cut off
		}
		if !row.blank() {
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
