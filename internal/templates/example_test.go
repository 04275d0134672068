package templates_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/templates"
)

// This template is for users who speak Russian. Their Excel expects semicolons.
func ExampleCSV() {
	var out bytes.Buffer
	if err := templates.CSV(&out, kind, "ru"); err != nil {
		fmt.Println(err)
	}
	fmt.Print(strings.TrimPrefix(out.String(), "\ufeff")) // the byte order mark
	// Output:
	// # Заполняйте под заголовками. Строки, которые начинаются с #, не импортируются.
	// # Пример: No = 00042 · Fee = 1.234,50 · Seats = 4 · Since = 2026-03-31 · Plan = Basic · Active = yes · Mail = ann@example.com
	// No;Fee;Seats;Since;Plan;Active;Mail
}
