package results

import (
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/table"

	"github.com/xuri/excelize/v2"
)

func TestSheetName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"", "Prices", "a/b:c", "'q'", "''", strings.Repeat("ж", 40), "[x]*?\\", "a\x00b", strings.Repeat("a", 30) + "''",
		strings.Repeat("😀", 31), "\u202eevil", "\ufffe", "\x7f",
	} {
		f := excelize.NewFile()
		if err := f.SetSheetName("Sheet1", table.SheetName(name, "Result", 1)); err != nil || f.GetSheetName(0) == "" {
			t.Errorf("sheetName(%q) = %q is refused: %v", name, table.SheetName(name, "Result", 1), err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	if got := table.SheetName("Prices", "Result", 1); got != "Prices" {
		t.Errorf("sheetName(Prices) = %q", got)
	}
}
