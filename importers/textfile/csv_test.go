package textfile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
)

// TestText lists the records of text files, with their lines.
func TestText(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, data, want string }{
		{"LF", "A,B\n1,2\n3,4\n", "2:1|2 3:3|4"},
		{"CR LF", "A,B\r\n1,2\r\n3,4\r\n", "2:1|2 3:3|4"},
		{"CR alone", "A,B\r1,2\r3,4\r", "2:1|2 3:3|4"},
		{"a mixture", "A,B\r\n1,2\n3,4\r5,6", "2:1|2 3:3|4 4:5|6"},
		{"no line end at the end", "A,B\n1,2", "2:1|2"},
		{"blank lines", "A,B\n\n1,2\n\r\n , \n3,4\n\n", "3:1|2 6:3|4"},
		{
			"line ends in quotes", "A,B\n\"x\ny\",2\n\"x\r\ny\",3\n\"x\ry\",4\n5,6\n",
			"2:x\ny|2 4:x\ny|3 6:x\ry|4 8:5|6",
		},
		{"doubled quotes", "A,B\n\"say \"\"hi\"\"\",\"\"\"\"\n", "2:say \"hi\"|\""},
		{"quotes around nothing", "A,B\n\"\",2\n", "2:|2"},
		{"a quote in the middle", "A,B\n5\" screw,2\n3,4\n", "2:5\" screw|2 3:3|4"},
		{"a quote inside quotes", "A,B\n\"5\" screw\",2\n3,4\n", "2:5\" screw|2 3:3|4"},
		{"blanks behind a quote", "A,B\n\"x\"  ,\"y\" \n3,4\n", "2:x|y 3:3|4"},
		{"a blank behind the last quote", "A,B\n1,\"y\" ", "2:1|y"},
		{"fewer cells and more", "A,B\n1\n1,2,3\n1,2,,\n", "2:1 3:1|2|3 4:1|2"},
		{"semicolons", "A;B\n1,5;2,5\n", "2:1,5|2,5"},
		{"tabs", "A\tB\n1,5\t2,5\n", "2:1,5|2,5"},
		{"bars", "A|B\n1,5|2,5\n", "2:1,5|2,5"},
		{"a delimiter that is told", "sep=|\nA,x|B\n1,2|3\n", "3:1,2|3"},
		{
			"delimiters in quotes do not count", "A;B\n\"a,b,c\";2\n\"d,e,f\";3\n",
			"2:a,b,c|2 3:d,e,f|3",
		},
		{"a byte order mark", "\xEF\xBB\xBFA,B\n1,ä\n", "2:1|ä"},
		{"UTF-16 little endian", "\xFF\xFE" + string(uploads.UTF16("A,B\n1,ä😀\n")), "2:1|ä😀"},
		{"UTF-16 without a mark", string(uploads.UTF16("A,B\n1,ä\n")), "2:1|ä"},
		{"UTF-16 big endian", "\xFE\xFF" + swap(uploads.UTF16("A,B\n1,ä\n")), "2:1|ä"},
		{"windows-1252", "A,B\n1,Caf\xe9 cr\xe8me fra\xeeche\n", "2:1|Café crème fraîche"},
		{"UTF-8 with a broken byte", "A,B\näöü,x\xe9y\n3,4\n", "2:äöü|!INVALID_ENCODING 3:3|4"},
		{"a byte that no text has", "A,B\n1,x\xffy\n3,4\n", "2:1|!INVALID_ENCODING 3:3|4"},
		{
			"UTF-16 with half a pair",
			"\xFF\xFE" + string(uploads.UTF16("A,B\n1,x")) + "\x3d\xd8" + string(uploads.UTF16("y\n3,4\n")),
			"2:1|!INVALID_ENCODING 3:3|4",
		},
		{"a NUL", "A,B\n1,x\x00y\n3,4\n", "2:1|!INVALID_CHARACTER 3:3|4"},
		{"the end mark of DOS", "A,B\r\n1,2\r\n\x1a", "2:1|2"},
		{"end marks of DOS behind a row", "A,B\n1,2\x1a\x1a", "2:1|2"},
		{"an end mark that is none", "A,B\n1\x1a,2\n", "2:!INVALID_CHARACTER|2"},
		{"headings that SYLK has too", "ID;PRICE\nC;5\n", "2:C|5"},
		{"a NUL in quotes", "A,B\n1,\"x\x00y\"\n3,4\n", "2:1|!INVALID_CHARACTER 3:3|4"},
		{
			"an error that Excel wrote", "A,B\n1,#N/A\n#ff0000,#1\n",
			"2:1|!FORMULA_ERROR 3:#ff0000|#1",
		},
		{
			"a text too long", "A,B\n1," + strings.Repeat("x", 32768) + "\n3,4\n",
			"2:1|!TOO_LONG 3:3|4",
		},
		{
			"a text of many megabytes", "A,B\n1,\"" + strings.Repeat("x", 3<<20) + "\"\n3,4\n",
			"2:1|!TOO_LONG 3:3|4",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := uploads.Read([]byte(tt.data), source.Options{})
			var got []string
			for i, cells := range r.Texts() {
				got = append(got, fmt.Sprintf("%d:%s", r.Rows[i].Number, strings.Join(cells, "|")))
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, " ")); r.Err != nil || diff != "" {
				t.Errorf("err %v, (-want +got):\n%s", r.Err, diff)
			}
		})
	}
}

// swap exchanges the bytes of each pair.
func swap(b []byte) string {
	for pair := range slices.Chunk(b, 2) {
		slices.Reverse(pair)
	}
	return string(b)
}

// TestDeclaredDelimiter_UnusableOption_IsFollowed: a delimiter that no file can have does not replace the one
// that the file declares. A line that declares such a delimiter is a row like others.
func TestDeclaredDelimiter_UnusableOption_IsFollowed(t *testing.T) {
	t.Parallel()
	const text = "sep=;\nA,x;B\n1,2;3\n"
	for option, want := range map[rune]string{0: "1,2|3", '"': "1,2|3", '\n': "1,2|3", 'é': "1,2|3", -1: "1,2|3", ',': "1|2;3"} {
		r := uploads.Read([]byte(text), source.Options{Delimiter: option})
		if r.Err != nil || strings.Join(r.Texts()[0], "|") != want {
			t.Errorf("%q: read %v, %v, want %s", option, r.Texts(), r.Err, want)
		}
	}
	r := uploads.Read([]byte("sep=\r\r\nA,B\n1,2\n"), source.Options{})
	if r.Err != nil || r.Table.Delimiter != ',' {
		t.Errorf("a declared line end: %v, %v", r.Texts(), r.Err)
	}
}

func TestDeclaredEncodingAndDelimiterAreUsed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, data, format, encoding string
		opt                          source.Options
		warns                        string
	}{
		{"comma", "A,B\n1,2\n", "csv", "utf-8", source.Options{}, ""},
		{"tab", "A\tB\n1\t2\n", "tsv", "utf-8", source.Options{}, ""},
		{
			"a tie goes to the name", "A,B\tC,D\n1,2\t3,4\n", "tsv", "utf-8",
			source.Options{Name: "x.tsv", Delimiter: '\t'},
			"",
		},
		{
			"a guess is told", "A,B\n1,Caf\xe9\n", "csv", "windows-1252",
			source.Options{},
			"windows-1252",
		},
		{"a quote kept is told", "A,B\n5\" x,2\n", "csv", "utf-8", source.Options{}, "Line 2"},
		{
			"an encoding asked for", "A,B\n1,\xd6\n", "csv", "windows-1251",
			source.Options{Encoding: "windows-1251"},
			"",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := uploads.Read([]byte(tt.data), tt.opt)
			if r.Err != nil || r.Table.Format != tt.format || r.Table.Encoding != tt.encoding {
				t.Fatalf("got %+v, %v", r.Table, r.Err)
			}
			all := strings.Join(r.Table.Warnings, " ")
			if (all == "") != (tt.warns == "") || !strings.Contains(all, tt.warns) {
				t.Errorf("warnings %q, want %q", all, tt.warns)
			}
		})
	}
	p := uploads.Read([]byte("A,B\n1,2\n"), source.Options{Encoding: "klingon"}).Problem(t)
	if p.Code != tabular.CodeUnknownEncoding {
		t.Errorf("got %+v, want %s", p, tabular.CodeUnknownEncoding)
	}
}

// TestWindowEdges moves every kind of byte over the boundary of the reader's buffer. The records
// must be the same.
func TestWindowEdges(t *testing.T) {
	t.Parallel()
	const tail = "\"q\"\"x\",ä\r\n\"l\r\nm\" ,5\" y\r\nlast,\"\"\r\n"
	want := [][]string{{"q\"x", "ä"}, {"l\nm", "5\" y"}, {"last"}}
	for shift := range 40 {
		pad := strings.Repeat("p", 30_000) + "," + strings.Repeat("p", 30_000) + "\n"
		data := "A,B\n" + pad + strings.Repeat("f", 65536-len(pad)-4-shift-2) + ",\n" + tail
		r := uploads.Read([]byte(data), source.Options{})
		if diff := cmp.Diff(want, r.Texts()[2:]); r.Err != nil || diff != "" {
			t.Fatalf("shift %d: err %v, (-want +got):\n%s", shift, r.Err, diff)
		}
	}
}
