package web

import (
	"sync"
	"time"

	"github.com/rollcall-dev/rollcall/web/request"
)

// In each refusalPeriod, the process logs the first refusal of each class, for at most refusalLines
// classes. At the end of the period, it logs the counts of the other refusals.
const (
	refusalLines  = 50
	refusalPeriod = time.Second
)

// refusalClass is the identity of the refusals that share one line in a period.
type refusalClass struct{ code, via, from string }

// classOfLine returns the class of a refusal for the log of the process: its code, the form of its
// credential, and its client.
func classOfLine(r refusedRequest) refusalClass { return refusalClass{r.Code, r.via, r.client} }

// inAll puts all refusals into one group.
func inAll(refusedRequest) string { return "" }

// refusalLog is a log of refusals with a bounded number of lines. In each period, it writes one refusal
// of each class: at most `most` refusals of each group, and at most `total` of all groups. It counts
// the other refusals, and writes the counts at the end of the period. When `total` is reached, it drops
// refusals of new groups, so its memory is bounded. A period begins with its first refusal.
type refusalLog struct {
	period time.Duration
	most   int
	total  int
	class  func(refusedRequest) refusalClass
	group  func(refusedRequest) string
	write  func(r refusedRequest, left int64) // left: the number of refusals after r; 0 for r itself

	mu     sync.Mutex
	lines  map[refusalClass]*refusalCount
	groups map[string]*refusalGroup
}

type refusalGroup struct {
	lines  int
	others int64 // refusals of classes that have no line in this period
}

type refusalCount struct {
	first refusedRequest
	left  int64
}

// add writes a refusal if count returns true.
func (l *refusalLog) add(r refusedRequest) {
	if l.count(r) {
		l.write(r, 0)
	}
}

// count reports whether the caller has to write the refusal. If not, count counts the refusal for the
// end of the period. If the log is full and has no line of the refusal's group, the refusal is dropped
// without a count.
func (l *refusalLog) count(r refusedRequest) (write bool) {
	class := l.class(r)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lines == nil {
		l.lines, l.groups = map[refusalClass]*refusalCount{}, map[string]*refusalGroup{}
		time.AfterFunc(l.period, l.end)
	}
	if same := l.lines[class]; same != nil {
		same.left++
		return false
	}
	if !l.room(l.group(r)) {
		return false
	}
	l.lines[class] = &refusalCount{first: r}
	return true
}

// room reports whether one more line of a group may be written. It counts the line or, if it returns
// false, the refusal. Once the log has l.total lines, refusals of groups without a line are not counted.
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

// anyCode is the code in the line about refusals of a group that were counted together.
const anyCode = "ANY"

// end ends a period. It writes the numbers of the counted refusals, by class and by group.
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
