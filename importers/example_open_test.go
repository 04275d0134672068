package importers_test

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rollcall-dev/rollcall/importers"
)

// The rows of a file come with the numbers that a person sees, and a bad cell
// tells what is wrong with it.
func ExampleOpen() {
	file := "Prices of spring\n\nSKU;Price\nA-1;12,50\nA-2;#N/A\n"
	src, err := importers.Open(strings.NewReader(file), int64(len(file)), importers.OpenOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer src.Close()
	fmt.Println(src.Format, src.Header, "in row", src.HeaderRow)
	for {
		row, err := src.Next()
		if err == io.EOF {
			break // the file was read whole
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		sku, price := row.Cells[0], row.Cells[1]
		fmt.Printf("%d: %s costs %q (code %q)\n", row.Number, sku.Text, price.Text, price.Code)
	}
	// Output:
	// csv [SKU Price] in row 3
	// 4: A-1 costs "12,50" (code "")
	// 5: A-2 costs "#N/A" (code "FORMULA_ERROR")
}

// A file that cannot be imported is a Problem, in words for a person.
func ExampleProblem() {
	file := "SKU,Name\n1,\"2\n"
	_, err := importers.Open(strings.NewReader(file), int64(len(file)), importers.OpenOptions{})
	var p *importers.Problem
	if errors.As(err, &p) {
		fmt.Println(p.Code, "in row", p.Row)
		fmt.Println(p.Detail)
	}
	// Output:
	// UNCLOSED_QUOTE in row 2
	// The quotation mark that opens a cell on line 2 is never closed. Close it, or delete it.
}
