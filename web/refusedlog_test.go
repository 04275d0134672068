package web

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rollcall-dev/rollcall/web/request"
)

// refusalBook counts the lines that a log of refusals has written, and the refusals that it has omitted.
type refusalBook struct {
	mu    sync.Mutex
	lines int
	left  int64
}

func (b *refusalBook) write(_ refusedRequest, left int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines++
	b.left += left
}

// seen returns how many lines were written, and how many refusals were omitted.
func (b *refusalBook) seen() (lines int, left int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.lines, b.left
}

// remembered returns how many lines the log holds in memory.
func (l *refusalLog) remembered() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.lines)
}

func TestRefusalLog_Flood_IsBoundedAndCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var book refusalBook
		l := refusalLog{period: refusalPeriod, most: refusalLines, total: refusalLines, class: classOfLine, group: inAll, write: book.write}
		for n := range 10_000 {
			l.add(refusedRequest{Reason: request.Reason{Code: "C"}, client: fmt.Sprint(n % 1000)})
		}
		if lines, _ := book.seen(); lines != refusalLines {
			t.Errorf("%d lines in a window, want %d", lines, refusalLines)
		}
		if n := l.remembered(); n > refusalLines {
			t.Errorf("%d lines are remembered", n)
		}
		time.Sleep(refusalPeriod)
		synctest.Wait()
		lines, left := book.seen()
		if want := int64(10_000 - refusalLines); left != want || lines != 2*refusalLines+1 {
			t.Errorf("%d were left out in %d lines, want %d", left, lines, want)
		}
		if l.remembered() != 0 {
			t.Error("the window did not end")
		}
	})
}

func TestRefusalLog_OneASecond_IsWrittenEachTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var book refusalBook
		l := refusalLog{period: refusalPeriod, most: refusalLines, total: refusalLines, class: classOfLine, group: inAll, write: book.write}
		for range 5 {
			l.add(refusedRequest{Reason: request.Reason{Code: "C"}, client: "c"})
			time.Sleep(refusalPeriod)
			synctest.Wait()
		}
		if lines, left := book.seen(); lines != 5 || left != 0 {
			t.Errorf("%d lines, %d left out", lines, left)
		}
	})
}

// TestRefusalLog_OneGroup_LeavesRoomForOthers: a tenant fills only its own share, and all tenants
// together only the total.
func TestRefusalLog_OneGroup_LeavesRoomForOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var book refusalBook
		l := refusalLog{period: auditPeriod, most: 3, total: 8, class: auditClass, group: tenantOf, write: book.write}
		flood := func(tenant string, want int) {
			t.Helper()
			before, _ := book.seen()
			for n := range 100 {
				l.add(refusedRequest{Reason: request.Reason{Code: "C"}, tenant: tenant, credential: fmt.Sprint(tenant, n)})
			}
			if after, _ := book.seen(); after-before != want {
				t.Errorf("%q has %d entries, want %d", tenant, after-before, want)
			}
		}
		flood("acme", 3)
		flood("", 3)
		flood("globex", 2)
		flood("initech", 0)
		if n := l.remembered(); n != 8 {
			t.Errorf("%d entries are remembered", n)
		}
		time.Sleep(auditPeriod)
		synctest.Wait()
		if lines, left := book.seen(); lines != 8+3 || left != 97+97+98 {
			t.Errorf("%d entries, %d left out", lines, left)
		}
		flood("initech", 3)
	})
}
