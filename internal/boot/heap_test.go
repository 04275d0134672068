package boot

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

func TestLimitFor_LiveBytes_IsTheFloorOrAboutTwiceAsMuch(t *testing.T) {
	t.Parallel()
	for live, want := range map[uint64]int64{
		0: 128 << 20, 48 << 20: 128 << 20, 100 << 20: 232 << 20, 1 << 30: 2<<30 + 32<<20,
	} {
		if got := limitFor(live); got != want {
			t.Errorf("%d live bytes: a limit of %d, want %d", live, got, want)
		}
	}
}

// heapHeld is the environment variable with the number of MB that a child process holds.
const heapHeld = "ROLLCALL_HEAP_HELD"

var garbage []byte

// garbageGB is the number of gigabytes of garbage.
var garbageGB = testenv.Size(1, 2)

func TestCollectRarely_MuchGarbage_FewCollectionsInBoundedMemory(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ held, least, most, memory int }{ // collections for each GB of garbage
		{8, 0, 30, 360},     // far below memoryFloor: a collection starts when the heap is five times as large
		{32, 0, 35, 360},    // about memoryFloor: while other programs run, collections end late
		{200, 0, 50, 750},   // above memoryFloor: as by default in Go
		{8, 25, 9999, 9999}, // the environment sets GOGC
	} {
		var env []string
		if c.least > 0 {
			env = []string{"GOGC=100"}
		}
		n, memory := collections(t, c.held, env...)
		if n < c.least*garbageGB || n > c.most*garbageGB || memory>>20 > c.memory {
			t.Errorf("%+v: %d collections, %d MB", c, n, memory>>20)
		}
	}
}

// collections counts the garbage collections of another process. That process makes garbage, and keeps the
// given number of MB in use. It also returns the greatest memory of the process in bytes.
func collections(t *testing.T, held int, env ...string) (n, most int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestMakeGarbage$")
	cmd.Env = append(append(os.Environ(), heapHeld+"="+strconv.Itoa(held)), env...)
	out, err := cmd.CombinedOutput()
	if err == nil {
		_, err = fmt.Sscanf(string(out), "collections %d, memory %d", &n, &most)
	}
	if err != nil {
		t.Fatalf("%v: %.2000s", err, out)
	}
	return n, most
}

// TestMakeGarbage is the child of collections.
func TestMakeGarbage(t *testing.T) {
	mb, _ := strconv.Atoi(os.Getenv(heapHeld))
	if mb == 0 {
		return // the function collections has not started this process
	}
	CollectRarely()
	var held [][]byte
	for i := range garbageGB << 30 >> 9 {
		if garbage = make([]byte, 1<<9); i < mb<<20>>9 {
			held = append(held, garbage)
		}
	}
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	fmt.Printf("collections %d, memory %d\n", s.NumGC, s.Sys)
	runtime.KeepAlive(held)
}
