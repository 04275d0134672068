package xlsx

import (
	"fmt"
	"strings"
	"testing"
)

// TestArena stores texts in memory and beyond it, and reads each of them again in any order.
func TestArena(t *testing.T) {
	t.Parallel()
	for _, memory := range []int64{1 << 30, 1} {
		a := arena{memory: memory}
		const n = 50_000
		text := func(i int) string {
			if i%5000 == 0 {
				return strings.Repeat("long", i)
			}
			return fmt.Sprintf("text %09d", i*i%7919)[:i%14]
		}
		for i := range n {
			if err := a.add([]byte(text(i))); err != nil {
				t.Fatal(err)
			}
		}
		if spilled := a.file != nil; spilled != (memory == 1) {
			t.Errorf("memory %d: a file is used: %v", memory, spilled)
		}
		for i := range n {
			i = i * 7907 % n
			if got, err := a.get(i); err != nil || string(got) != text(i) {
				t.Fatalf("memory %d: text %d is %.20q, %v, want %.20q", memory, i, got, err, text(i))
			}
		}
		if err := a.close(); err != nil {
			t.Error(err)
		}
	}
}
