// Command gen writes a product file for the sample kind products.import, and prints the expected result
// of an import:
//
//	go run ./internal/samples/gen -rows 10000 -invalid 120 -o products.xlsx
//
// The command writes only the file that -o names.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rollcall-dev/rollcall/internal/samples"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run writes the file that the flags in `args` describe, and prints the expected result to `out`.
func run(args []string, out io.Writer) error {
	var opt samples.Options
	set := flag.NewFlagSet("gen", flag.ContinueOnError)
	set.IntVar(&opt.Rows, "rows", 200, "data rows of all kinds")
	set.IntVar(&opt.Invalid, "invalid", 0, "rows that break the schema")
	set.IntVar(&opt.Failing, "failing", 0, "rows with an unknown brand")
	set.IntVar(&opt.Errors, "errors", 0, "rows that end with a system fault")
	set.IntVar(&opt.Repeats, "repeats", 0, "good rows that share a few SKUs")
	set.Uint64Var(&opt.Seed, "seed", 1, "the same seed gives the same rows")
	path := set.String("o", "", "file to write, .xlsx or .csv")
	if err := set.Parse(args); err != nil {
		return err
	}
	if *path == "" {
		return errors.New("no file named by -o")
	}
	opt.Format = strings.TrimPrefix(filepath.Ext(*path), ".")
	counts, err := write(*path, opt)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	return enc.Encode(counts)
}

func write(path string, opt samples.Options) (samples.Counts, error) {
	f, err := os.Create(path)
	if err != nil {
		return samples.Counts{}, err
	}
	buf := bufio.NewWriter(f)
	counts, err := samples.Write(buf, opt)
	return counts, errors.Join(err, buf.Flush(), f.Close())
}
