package e2e

import (
	"bytes"
	"testing"

	"github.com/xuri/excelize/v2"
)

// desk is a result workbook that a person has open.
type desk struct {
	t    *testing.T
	rows [][]string // with the headings
}

func opened(t *testing.T, url, id, only string) *desk {
	t.Helper()
	body, err := fetch(url + "/api/v1/tasks/" + id + "/result?only=" + only)
	if err != nil {
		t.Fatal(err)
	}
	book, err := excelize.OpenReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	rows, err := book.GetRows(book.GetSheetName(0))
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		rows[i] = append(rows[i], make([]string, len(rows[0])-len(rows[i]))...)
	}
	return &desk{t, rows}
}
