package main

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
)

// readRows is the number of rows of the tables.
const readRows = 500_000

// benchReadXLSX measures how fast a workbook is read to its verified end, beside the row iterator of
// excelize.
func benchReadXLSX(ctx context.Context, l *lab, runs int) ([]figure, error) {
	path, err := l.workbookTable(readRows)
	if err != nil {
		return nil, err
	}
	peers := []string{"excelize", "excelize-in-memory"}
	return l.readBeside(ctx, peers, "read-xlsx, 500,000 x 10", path, runs)
}

// benchReadCSV measures how fast a text file is read, beside encoding/csv alone.
func benchReadCSV(ctx context.Context, l *lab, runs int) ([]figure, error) {
	path, err := l.textTable(readRows)
	if err != nil {
		return nil, err
	}
	return l.readBeside(ctx, []string{"encoding/csv"}, "read-csv, 500,000 x 10", path, runs)
}

// readBeside reads a file with Rollcall and with each peer alternately, each in its own process.
func (l *lab) readBeside(
	ctx context.Context, peers []string, name, path string, runs int,
) (out []figure, err error) {
	const ours = "rollcall"
	rates, memory := map[string][]float64{}, map[string][]float64{}
	for range runs {
		for _, by := range append([]string{ours}, peers...) {
			rate, mb, err := l.read(ctx, by, path)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", by, err)
			}
			rates[by], memory[by] = append(rates[by], rate), append(memory[by], mb)
		}
	}
	for _, peer := range peers {
		out = append(out,
			figureOf(name, "rows/s", rates[ours]).above(peer, median(rates[peer])),
			figureOf(name+": peak RSS", "MB", memory[ours]).below(peer, median(memory[peer])))
	}
	return out, nil
}

// read reads a file once. It returns the rows per second, and the peak memory in MB.
func (l *lab) read(ctx context.Context, by, path string) (rate, mb float64, err error) {
	out, err := exec.CommandContext(ctx, l.program("reader"), "--by", by, path).Output()
	if err != nil {
		return 0, 0, err
	}
	var rows int
	var seconds float64
	if _, err := fmt.Sscan(string(out), &rows, &seconds); err != nil {
		return 0, 0, err
	}
	m := highWater.FindSubmatch(out)
	if rows != readRows || m == nil {
		return 0, 0, fmt.Errorf("%d rows: %.200s", rows, out)
	}
	kb, err := strconv.ParseFloat(string(m[1]), 64)
	return float64(rows) / seconds, kb / 1024, err
}
