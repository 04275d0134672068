package xlsx_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/uploads"
)

// TestQuickCell_AnyCell_IsReadAsInTokens reads the same cells twice. A second blank in each start
// tag makes the scanner read the cell in tokens.
func TestQuickCell_AnyCell_IsReadAsInTokens(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(1, 2))
	ends := map[string]int{}
	rounds := testenv.Size(800, 3000)
	for range rounds {
		rows := oddRows(draw)
		quick := uploads.Read(uploads.NewWorkbook(rows, "one", "two").Stored(t), source.Options{})
		slow := uploads.Read(uploads.NewWorkbook(strings.ReplaceAll(rows, "<c ", "<c  "), "one", "two").Stored(t), source.Options{})
		if !reflect.DeepEqual(quick.Rows, slow.Rows) {
			t.Fatalf("%s\ngives %+v\n in tokens %+v", rows, quick.Rows, slow.Rows)
		}
		if codeOf(quick.Err) != codeOf(slow.Err) {
			t.Fatalf("%s\ngives %v\n in tokens %v", rows, quick.Err, slow.Err)
		}
		ends[codeOf(quick.Err)]++
	}
	if ends[""] < rounds/10 || len(ends) < 2 {
		t.Errorf("cells that are read, and faults: %v", ends)
	}
}

func codeOf(err error) string {
	if err == nil {
		return ""
	}
	var p *tabular.Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return err.Error()
}

// oddRows returns a few rows of cells, most of them well formed.
func oddRows(draw *rand.Rand) string {
	one := func(of ...string) string { return of[draw.IntN(len(of))] }
	var b strings.Builder
	b.WriteString(uploads.Header)
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
