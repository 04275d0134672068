package web

import (
	"sync"
	"time"
)

// The log of the process has one line a second for each reason and client, and refusalLines a
// second in all.
const (
	refusalLines  = 50
	refusalWindow = time.Second
)

// refusalKind is what one line a window is written of.
type refusalKind struct{ code, via, from string }

// kindOfLine returns the reason and client of a line.
func kindOfLine(r refusedRequest) refusalKind { return refusalKind{r.code, r.via, r.client} }

// refusalLog bounds the lines of refusals: one a window for each kind, and most in all. It
// remembers the lines of a window and counts the others, so its memory is bounded, too. At the
// end of the window it writes the counts. Its timer runs while it remembers any line.
type refusalLog struct {
	window time.Duration
	most   int
	kind   func(refusedRequest) refusalKind
	write  func(r refusedRequest, left int64) // left 0: a line of its own

	mu     sync.Mutex
	lines  map[refusalKind]*refusalCount
	others int64 // left out without a line like them
}

type refusalCount struct {
	first refusedRequest
	left  int64
}

// add writes a line, or counts it.
func (l *refusalLog) add(r refusedRequest) {
	if l.count(r) {
		l.write(r, 0)
	}
}

// count reports whether a line is to be written, and counts it otherwise.
func (l *refusalLog) count(r refusedRequest) (write bool) {
	kind := l.kind(r)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lines == nil {
		l.lines = map[refusalKind]*refusalCount{}
		time.AfterFunc(l.window, l.end)
	}
	same := l.lines[kind]
	switch {
	case same != nil:
		same.left++
	case len(l.lines) >= l.most:
		l.others++
	default:
		l.lines[kind] = &refusalCount{first: r}
		return true
	}
	return false
}

// end ends a window: it writes what was left out.
func (l *refusalLog) end() {
	l.mu.Lock()
	lines, others := l.lines, l.others
	l.lines, l.others = nil, 0
	l.mu.Unlock()
	for _, line := range lines {
		if line.left > 0 {
			l.write(line.first, line.left)
		}
	}
	if others > 0 {
		l.write(refusedRequest{reason: reason{code: "ANY"}, client: "many", via: "any"}, others)
	}
}
