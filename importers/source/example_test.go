package source_test

import (
	"fmt"
	"io"
	"strings"

	"github.com/rollcall-dev/rollcall/importers/source"
)

// Rows have the numbers that a user sees in the file, and an invalid cell has a fault.
func ExampleOpen() {
	file := "Prices of spring\n\nSKU;Price\nA-1;12,50\nA-2;#N/A\n"
	src, err := source.Open(strings.NewReader(file), int64(len(file)), source.Options{})
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
