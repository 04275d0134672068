package settings

import (
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// Form is the output format of a command.
type Form struct {
	JSON bool `help:"Print JSON lines."`
}

// Print prints a line of text or, with --json, the object as JSON.
func (f Form) Print(w io.Writer, object any, words string, args ...any) error {
	if f.JSON {
		return json.NewEncoder(w).Encode(object)
	}
	_, err := fmt.Fprintf(w, words+"\n", args...)
	return err
}

// Progress is a printer of the progress of long work. It prints at most five times a second, and only on
// a terminal.
type Progress struct {
	w    io.Writer
	last time.Time
}

// progressEvery is the shortest interval between two prints.
const progressEvery = 200 * time.Millisecond

// NewProgress returns a Progress for the output w.
func NewProgress(w io.Writer) *Progress {
	if isTerminal(w) {
		return &Progress{w: w}
	}
	return &Progress{}
}

// clearLine moves to the start of the line and clears it.
const clearLine = "\r\x1b[K"

// Show replaces the printed line. It is a no-op within progressEvery after the last print.
func (p *Progress) Show(format string, args ...any) {
	if p.w == nil || time.Since(p.last) < progressEvery {
		return
	}
	p.last = time.Now()
	fmt.Fprintf(p.w, clearLine+format, args...)
}

// End clears the printed line.
func (p *Progress) End() {
	if p.w != nil && !p.last.IsZero() {
		fmt.Fprint(p.w, clearLine)
	}
}
