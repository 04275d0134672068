package boot

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"
)

// Form is how a command tells what it has found.
type Form struct {
	JSON bool `help:"Print JSON lines."`
}

// tell prints a line of words or, with --json, an object.
func (f Form) tell(w io.Writer, object any, words string, args ...any) error {
	if f.JSON {
		return json.NewEncoder(w).Encode(object)
	}
	_, err := fmt.Fprintf(w, words+"\n", args...)
	return err
}

// progress tells on a terminal, a few times a second, how far long work has come; it
// is silent anywhere else.
type progress struct {
	w    io.Writer
	last time.Time
}

// progressEvery is how often a terminal is written to at most.
const progressEvery = 200 * time.Millisecond

// newProgress tells on w if that is a terminal.
func newProgress(w io.Writer) *progress {
	if f, ok := w.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		return &progress{w: w}
	}
	return &progress{}
}

// clearLine goes back to the begin of the line and wipes it.
const clearLine = "\r\x1b[K"

// say replaces what was said before.
func (p *progress) say(format string, args ...any) {
	if p.w == nil || time.Since(p.last) < progressEvery {
		return
	}
	p.last = time.Now()
	fmt.Fprintf(p.w, clearLine+format, args...)
}

// end wipes the line.
func (p *progress) end() {
	if p.w != nil && !p.last.IsZero() {
		fmt.Fprint(p.w, clearLine)
	}
}
