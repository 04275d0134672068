package source_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/rollcall-dev/rollcall/importers/source"
)

const benchRows = 50_000

// benchTable returns row i of ten columns of the usual types.
func benchTable(i int) []any {
	return []any{
		fmt.Sprintf("SKU-%06d", i), fmt.Sprintf("Product number %d", i), float64(i) + 0.25,
		i % 500, []string{"Acme", "Globex", "Stark"}[i%3], 45000 + i%1000, "a note",
		i%2 == 0, i * 7, "EUR",
	}
}

// benchWorkbook returns a workbook with shared texts, as Excel writes them.
var benchWorkbook = sync.OnceValue(func() []byte {
	f := excelize.NewFile()
	defer f.Close()
	head := []any{"SKU", "Name", "Price", "Stock", "Brand", "Start", "Note", "On", "Id", "Cur"}
	if err := f.SetSheetRow("Sheet1", "A1", &head); err != nil {
		panic(err)
	}
	for i := range benchRows {
		row := benchTable(i)
		if err := f.SetSheetRow("Sheet1", "A"+strconv.Itoa(i+2), &row); err != nil {
			panic(err)
		}
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		panic(err)
	}
	return b.Bytes()
})

var benchText = sync.OnceValue(func() []byte {
	var b strings.Builder
	b.WriteString("SKU,Name,Price,Stock,Brand,Start,Note,On,Id,Cur\n")
	for i := range benchRows {
		for j, v := range benchTable(i) {
			if j > 0 {
				b.WriteByte(',')
			}
			fmt.Fprint(&b, v)
		}
		b.WriteByte('\n')
	}
	return []byte(b.String())
})

func rowsPerSecond(b *testing.B) {
	b.ReportMetric(float64(benchRows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

func benchOpen(b *testing.B, data []byte) {
	b.ReportAllocs()
	for b.Loop() {
		s, err := source.Open(bytes.NewReader(data), int64(len(data)), source.Options{})
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for ; err == nil; n++ {
			_, err = s.Next()
		}
		if err != io.EOF || n-1 != benchRows {
			b.Fatalf("%d rows, then %v", n-1, err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
	rowsPerSecond(b)
}

func BenchmarkXLSX(b *testing.B) { benchOpen(b, benchWorkbook()) }

func BenchmarkCSV(b *testing.B) { benchOpen(b, benchText()) }

// BenchmarkExcelizeRows reads the workbook of BenchmarkXLSX with excelize.
func BenchmarkExcelizeRows(b *testing.B) {
	data := benchWorkbook()
	b.ReportAllocs()
	for b.Loop() {
		f, err := excelize.OpenReader(bytes.NewReader(data))
		if err != nil {
			b.Fatal(err)
		}
		rows, err := f.Rows("Sheet1")
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for ; rows.Next(); n++ {
			if _, err := rows.Columns(); err != nil {
				b.Fatal(err)
			}
		}
		if n != benchRows+1 {
			b.Fatalf("%d rows", n)
		}
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
	}
	rowsPerSecond(b)
}

// BenchmarkEncodingCSV reads the text of BenchmarkCSV with encoding/csv.
func BenchmarkEncodingCSV(b *testing.B) {
	data := benchText()
	b.ReportAllocs()
	for b.Loop() {
		r := csv.NewReader(bytes.NewReader(data))
		r.ReuseRecord = true
		n := 0
		for ; ; n++ {
			if _, err := r.Read(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
		if n != benchRows+1 {
			b.Fatalf("%d rows", n)
		}
	}
	rowsPerSecond(b)
}
