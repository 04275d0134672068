package web

import (
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/web/request"
)

// The log of the process has one line a second for each reason and client, and refusalLines a
// second in all.
const (
	refusalLines  = 50
	refusalWindow = time.Second
)

// refusalKind identifies refusals that share one line a window.
type refusalKind struct{ code, via, from string }

// kindOfLine returns the reason and client of a line.
func kindOfLine(r refusedRequest) refusalKind { return refusalKind{r.Code, r.via, r.client} }

// inAll returns the group of all lines of the log.
func inAll(refusedRequest) string { return "" }

// refusalLog bounds the lines of refusals: one a window for each kind, most of each group, and total
// in all. It stores the lines of a window and counts the other refusals, so its memory is bounded,
// too. At the end of the window it writes the counts. Its timer runs while it stores any line.
type refusalLog struct {
	window time.Duration
	most   int
	total  int
	kind   func(refusedRequest) refusalKind
	group  func(refusedRequest) string
	write  func(r refusedRequest, left int64) // left 0: the line of one refusal

	mu     sync.Mutex
	lines  map[refusalKind]*refusalCount
	groups map[string]*refusalGroup
}

type refusalGroup struct {
	lines  int
	others int64 // refusals that were left out without an equal line
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

// count reports whether a line is to be written. Otherwise it counts the refusal.
func (l *refusalLog) count(r refusedRequest) (write bool) {
	kind := l.kind(r)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lines == nil {
		l.lines, l.groups = map[refusalKind]*refusalCount{}, map[string]*refusalGroup{}
		time.AfterFunc(l.window, l.end)
	}
	if same := l.lines[kind]; same != nil {
		same.left++
		return false
	}
	if !l.room(l.group(r)) {
		return false
	}
	l.lines[kind] = &refusalCount{first: r}
	return true
}

// room reports whether a group has room for one more line, and counts the line. A new group is not
// counted if there is no room in total.
func (l *refusalLog) room(name string) bool {
	g, full := l.groups[name], len(l.lines) >= l.total
	switch {
	case g == nil && full:
		return false
	case g == nil:
		g = &refusalGroup{}
		l.groups[name] = g
	case full || g.lines >= l.most:
		g.others++
		return false
	}
	g.lines++
	return true
}

// anyCode replaces the codes of refusals that were counted together in the log.
const anyCode = "ANY"

// end ends a window: it writes the counts of the refusals that were left out.
func (l *refusalLog) end() {
	l.mu.Lock()
	lines, groups := l.lines, l.groups
	l.lines, l.groups = nil, nil
	l.mu.Unlock()
	for _, line := range lines {
		if line.left > 0 {
			l.write(line.first, line.left)
		}
	}
	for name, g := range groups {
		if g.others > 0 {
			l.write(refusedRequest{Reason: request.Reason{Code: anyCode}, client: "many", via: "any", tenant: name}, g.others)
		}
	}
}
