package boot

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

// tell prints a line of text or, with --json, an object.
func (f Form) tell(w io.Writer, object any, words string, args ...any) error {
	if f.JSON {
		return json.NewEncoder(w).Encode(object)
	}
	_, err := fmt.Fprintf(w, words+"\n", args...)
	return err
}

// progress prints the progress of long work on a terminal, a few times a second, and nothing
// elsewhere.
type progress struct {
	w    io.Writer
	last time.Time
}

// progressEvery is the shortest interval between two prints.
const progressEvery = 200 * time.Millisecond

// newProgress returns a progress on w if w is a terminal.
func newProgress(w io.Writer) *progress {
	if isTerminal(w) {
		return &progress{w: w}
	}
	return &progress{}
}

// clearLine moves to the start of the line and clears it.
const clearLine = "\r\x1b[K"

// say replaces the printed line.
func (p *progress) say(format string, args ...any) {
	if p.w == nil || time.Since(p.last) < progressEvery {
		return
	}
	p.last = time.Now()
	fmt.Fprintf(p.w, clearLine+format, args...)
}

// end clears the line.
func (p *progress) end() {
	if p.w != nil && !p.last.IsZero() {
		fmt.Fprint(p.w, clearLine)
	}
}
