package xlsx_test

import (
	"fmt"
	"io"
	"os"

	"github.com/rollcall-dev/rollcall/importers/tabular"
	"github.com/rollcall-dev/rollcall/importers/xlsx"
)

// A sheet is read row by row, with the row numbers that a user sees.
func ExampleOpenSheet() {
	file, err := os.Open("../../testdata/products.xlsx")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := printRows(tabular.NewUpload(file, info.Size()), 3); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 1: "SKU"
	// 2: "SKU-0000001"
	// 3: "SKU-0000002"
}

// printRows prints the first rows of the first visible sheet.
func printRows(file *tabular.Upload, most int) error {
	container, err := xlsx.OpenContainer(file, tabular.Limits{})
	if err != nil {
		return err
	}
	book, err := xlsx.OpenWorkbook(container)
	if err != nil {
		return err
	}
	sheet, err := book.Pick("")
	if err != nil {
		return err
	}
	rows, err := xlsx.OpenSheet(book, sheet, func(warning string) { fmt.Println(warning) })
	if err != nil {
		return err
	}
	defer rows.Close()
	for range most {
		row, err := rows.Next()
		if err == io.EOF {
			return nil // the sheet was read whole
		}
		if err != nil {
			return err
		}
		fmt.Printf("%d: %q\n", row.Number, row.Cells[0].Text)
	}
	return nil
}
