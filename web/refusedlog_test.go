package web

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// refusalBook keeps what a log of refusals writes.
type refusalBook struct {
	lines int
	left  int64
}

func (b *refusalBook) write(_ refusedRequest, left int64) {
	b.lines++
	b.left += left
}

func TestRefusalLog_Flood_IsBoundedAndCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var book refusalBook
		l := refusalLog{window: refusalWindow, most: refusalLines, kind: kindOfLine, write: book.write}
		for n := range 10_000 {
			l.add(refusedRequest{reason: reason{code: "C"}, client: fmt.Sprint(n % 1000)})
		}
		if book.lines != refusalLines {
			t.Errorf("%d lines in a window, want %d", book.lines, refusalLines)
		}
		if len(l.lines) > refusalLines {
			t.Errorf("%d lines are remembered", len(l.lines))
		}
		time.Sleep(refusalWindow)
		synctest.Wait()
		if want := int64(10_000 - refusalLines); book.left != want || book.lines != 2*refusalLines+1 {
			t.Errorf("%d were left out in %d lines, want %d", book.left, book.lines, want)
		}
		if l.lines != nil {
			t.Error("the window did not end")
		}
	})
}

func TestRefusalLog_OneASecond_IsWrittenEachTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var book refusalBook
		l := refusalLog{window: refusalWindow, most: refusalLines, kind: kindOfLine, write: book.write}
		for range 5 {
			l.add(refusedRequest{reason: reason{code: "C"}, client: "c"})
			time.Sleep(refusalWindow)
			synctest.Wait()
		}
		if book.lines != 5 || book.left != 0 {
			t.Errorf("%d lines, %d left out", book.lines, book.left)
		}
	})
}
