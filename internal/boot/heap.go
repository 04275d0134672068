package boot

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// memoryFloor is the memory, in bytes, that a process may use before it collects garbage. Above it
// a collection starts about whenever the heap has doubled, as in Go by default.
//
// A worker holds some 30 MB during an import and makes as much garbage in a tenth of a second.
// Without the floor, a quarter of its processor time goes to collections.
const memoryFloor = 128 << 20

// rareShare is the growth of the heap in percent between two collections below the floor.
const rareShare = 400

// limitFor returns the memory limit after a collection that left live bytes.
func limitFor(live uint64) int64 { return max(memoryFloor, 2*int64(live)+memoryFloor/4) }

// CollectRarely makes garbage collections rare while the process uses little memory. It changes
// nothing if the environment sets GOGC or GOMEMLIMIT.
//
// The limit follows the heap, so a limit that is still too low costs one more collection.
func CollectRarely() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(rareShare)
	afterCollection(&cycle{})
}

// cycle is unreachable from the start, so the next collection finalizes it. The pointer keeps it out
// of blocks shared with other small values, which would delay the finalizer.
type cycle struct {
	limit int64
	_     *cycle
}

// afterCollection adapts the limit to the live heap, and waits for the next collection.
func afterCollection(c *cycle) {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	limit := limitFor(sample[0].Value.Uint64())
	if limit != c.limit {
		debug.SetMemoryLimit(limit)
	}
	runtime.SetFinalizer(&cycle{limit: limit}, afterCollection)
}
