package boot

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// memoryFloor is how much memory a process may have before garbage is collected, in bytes.
// Above it garbage is collected about whenever the heap has doubled, as Go does at any size.
//
// A worker holds some 30 MB while it imports and makes as much garbage in a tenth of a second:
// without the floor, a quarter of its processor time goes to collections.
const memoryFloor = 128 << 20

// rareShare is by how many percent the heap may grow between two collections below the floor.
const rareShare = 400

// limitFor returns the memory limit after a collection that left live bytes.
func limitFor(live uint64) int64 { return max(memoryFloor, 2*int64(live)+memoryFloor/4) }

// CollectRarely has garbage collected rarely as long as the process uses little memory. It changes
// nothing if the environment sets GOGC or GOMEMLIMIT.
//
// The limit follows the heap, so a limit that is not raised yet costs a collection, not memory.
func CollectRarely() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(rareShare)
	afterCollection(&cycle{})
}

// cycle is garbage from its beginning, so the next collection finalizes it. The pointer keeps it
// from sharing its memory with other small values, which would delay that.
type cycle struct {
	limit int64
	_     *cycle
}

// afterCollection adapts the limit to what the collection left, and waits for the next one.
func afterCollection(c *cycle) {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	limit := limitFor(sample[0].Value.Uint64())
	if limit != c.limit {
		debug.SetMemoryLimit(limit)
	}
	runtime.SetFinalizer(&cycle{limit: limit}, afterCollection)
}
