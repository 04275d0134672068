// Command reader reads a file of rows to its end in its own process, which a bench can measure. It prints
// the number of rows and the duration in seconds.
package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/rollcall-dev/rollcall/importers/source"

	"github.com/alecthomas/kong"
	"github.com/xuri/excelize/v2"
)

type options struct {
	Path string `arg:"" help:"File to read."`
	By   string `default:"rollcall" enum:"rollcall,excelize,excelize-in-memory,encoding/csv" help:"What reads it."`
}

func main() {
	var opt options
	kong.Parse(&opt)
	read := map[string]func(string) (int, error){
		"rollcall": ours, "encoding/csv": byEncodingCSV,
		"excelize":           byExcelize(excelize.Options{}),
		"excelize-in-memory": byExcelize(excelize.Options{UnzipXMLSizeLimit: 4 << 30}),
	}[opt.By]
	begun := time.Now()
	rows, err := read(opt.Path)
	took := time.Since(begun)
	if err == nil {
		var status []byte
		status, err = os.ReadFile("/proc/self/status")
		fmt.Printf("%d %f\n%s", rows, took.Seconds(), status)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// ours reads a file with Rollcall to its verified end, with every cell as text.
func ours(path string) (n int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return 0, err
	}
	src, err := source.Open(f, st.Size(), source.Options{})
	if err != nil {
		return 0, err
	}
	defer src.Close()
	for ; ; n++ {
		if _, err := src.Next(); err == io.EOF {
			return n, nil
		} else if err != nil {
			return n, err
		}
	}
}

// byExcelize returns a function that reads a file with excelize. excelize stores parts above
// UnzipXMLSizeLimit, by default 16 MiB, in temporary files, including shared texts.
func byExcelize(opt excelize.Options) func(string) (int, error) {
	return func(path string) (int, error) {
		f, err := excelize.OpenFile(path, opt)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		rows, err := f.Rows(f.GetSheetName(0))
		if err != nil {
			return 0, err
		}
		n := -1 // the header
		for ; rows.Next(); n++ {
			if _, err := rows.Columns(); err != nil {
				return n, err
			}
		}
		return n, rows.Close()
	}
}

func byEncodingCSV(path string) (int, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.ReuseRecord = true
	for n := -1; ; n++ {
		if _, err := r.Read(); err == io.EOF {
			return n, nil
		} else if err != nil {
			return n, err
		}
	}
}
