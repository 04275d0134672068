package importers

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// TestQuickCell_AnyCell_IsReadAsInTokens reads the same cells twice. A second blank in each
// start tag has the scanner read the cell in tokens.
func TestQuickCell_AnyCell_IsReadAsInTokens(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(1, 2))
	ends := map[string]int{}
	for range 3000 {
		rows := oddRows(draw)
		quick := readAll(newParts(rows, "one", "two").stored(t), OpenOptions{})
		slow := readAll(newParts(strings.ReplaceAll(rows, "<c ", "<c  "), "one", "two").stored(t), OpenOptions{})
		if !reflect.DeepEqual(quick.rows, slow.rows) {
			t.Fatalf("%s\ngives %+v\n in tokens %+v", rows, quick.rows, slow.rows)
		}
		if codeOf(quick.err) != codeOf(slow.err) {
			t.Fatalf("%s\ngives %v\n in tokens %v", rows, quick.err, slow.err)
		}
		ends[codeOf(quick.err)]++
	}
	if ends[""] < 300 || len(ends) < 2 {
		t.Errorf("cells that are read, and faults: %v", ends)
	}
}

func codeOf(err error) string {
	if err == nil {
		return ""
	}
	var p *Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return err.Error()
}

// oddRows returns a few rows of cells, most of them well formed.
func oddRows(draw *rand.Rand) string {
	one := func(of ...string) string { return of[draw.IntN(len(of))] }
	var b strings.Builder
	b.WriteString(header)
	for row := 2; row < 4; row++ {
		fmt.Fprintf(&b, `<row r="%d">`, row)
		for col := range 3 {
			place := fmt.Sprintf("%c%d", 'A'+col, row)
			if draw.IntN(30) == 0 {
				place = one("A1", "", "B2", "ZZZ9", `A"2`)
			}
			kind := one("", "", ` t="inlineStr"`, ` t="inlineStr"`, ` t="s"`, ` t="str"`, ` t="b"`, ` t="e"`, ` t="d"`, ` t="a&lt;b"`)
			text := one("1", "0", "", " 7 ", "578.03", "lamp", "x &amp; y", "_x000D_", "a&#13;b", "a\r\nb", "1e3", "ü", "\x01", "a>b", "&no;")
			value := one("<v>"+text+"</v>", "<is><t>"+text+"</t></is>", `<is><t xml:space="preserve">`+text+"</t></is>",
				"<f>1</f><v>"+text+"</v>", "", "<v>"+text+"</v> ", "<v/>")
			if draw.IntN(40) == 0 {
				value = one("<v>1</v><v>2</v>", "<v>1</is>", "<is>1</is>", "<q/>", "<v><b/></v>", "<!-- --><v>1</v>", "<v>1</v")
			}
			fmt.Fprintf(&b, "<c r=%q%s%s>%s</c>", place, one("", ` s="1"`, ` s="3"`, ` s="x"`, ` s=""`), kind, value)
		}
		b.WriteString("</row>")
	}
	return b.String()
}

func TestRowBegins_AnyText_CountsEachBeginOnce(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"": 0, "w": 0, "row ": 0, "<row": 0, "<row ": 1, "<row>": 1, "<x:row r": 1, "<x:row>": 1, "<rows>": 0, "</row>": 0,
		"brow ": 0, "<row><row ": 2, "www<row >": 1, "<row/>": 0,
	} {
		if got := rowBegins([]byte(text)); got != want {
			t.Errorf("%q: %d rows, want %d", text, got, want)
		}
	}
}
