package uploads

import (
	"strings"
)

// OddTexts are texts that spreadsheets, XML, CSV or users may damage.
var OddTexts = []string{
	"007", "+1", "1e5", "1.50", "-0", "-0.00", ".5", "5.", "12345678901234567890", "0.12345678901", "1,5",
	"=1+1", "'=1", "''", "@x", "\tx", " x ", "a\nb", "a\r\nb", `"q"`, "<&>", "_x000D_", "_x005F_", "ж😀",
	"TRUE", "2026-03-31", "2026-03-31T12:30:15", "31/03/2026", "#N/A", "１２", "\u202egpj", "a;b,c|d\te",
	strings.Repeat("長", 32767),
}
