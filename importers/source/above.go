package source

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// maxAbove is the maximum number of rows above the headings that a warning lists.
const maxAbove = 5

// rowsAbove holds the rows above the headings, which are not imported.
type rowsAbove struct {
	named []string
	more  int
}

func (a *rowsAbove) addAll(rows []tabular.Row) {
	for _, r := range rows {
		a.add(r)
	}
}

// add adds a row, with its number and its first text.
func (a *rowsAbove) add(row tabular.Row) {
	if len(a.named) == maxAbove {
		a.more++
		return
	}
	for _, c := range row.Cells {
		if text := tabular.TrimHeading(c.Text); text != "" {
			a.named = append(a.named, rowName(row.Number, text))
			return
		}
	}
	a.named = append(a.named, rowName(row.Number, ""))
}

// rowName returns the name of a row for a warning: its number and, unless it is "", the given text.
func rowName(number int, text string) string {
	if text == "" {
		return strconv.Itoa(number)
	}
	return fmt.Sprintf("%d (%q)", number, tabular.Shorten(text))
}

// warn adds a warning about the rows above the headings, if there are any.
func (a *rowsAbove) warn(header int, warn func(string)) {
	if len(a.named) == 0 {
		return
	}
	key, values := "warning.above", map[string]string{"row": strconv.Itoa(header), "rows": strings.Join(a.named, ", ")}
	if a.more > 0 {
		key, values["more"] = "warning.above.more", strconv.Itoa(a.more)
	}
	warn(words.English(key, values))
}
