package tabular_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/source"
	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// A file that cannot be imported is a Problem, with a text for users.
func ExampleProblem() {
	file := "SKU,Name\n1,\"2\n"
	_, err := source.Open(strings.NewReader(file), int64(len(file)), source.Options{})
	var p *tabular.Problem
	if errors.As(err, &p) {
		fmt.Println(p.Code, "in row", p.Row)
		fmt.Println(p.Detail)
	}
	// Output:
	// UNCLOSED_QUOTE in row 2
	// The quotation mark that opens a cell on line 2 is never closed. Close it, or delete it.
}
