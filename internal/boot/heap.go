package boot

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// memoryFloor is the memory, in bytes, below which a process rarely collects garbage. Above
// memoryFloor, a collection starts about when the heap has doubled, which is the default of Go.
//
// A worker holds about 30 MB during an import, and makes as much garbage in a tenth of a second.
// Without memoryFloor, collections take a quarter of the processor time of the worker.
const memoryFloor = 128 << 20

// rareShare is the value of GOGC: the growth of the heap, in percent, after which a collection starts below
// memoryFloor.
const rareShare = 400

// limitFor returns the memory limit for a live heap of the given size in bytes.
func limitFor(live uint64) int64 { return max(memoryFloor, 2*int64(live)+memoryFloor/4) }

// CollectRarely makes garbage collections rare while the process uses little memory. It changes nothing
// if the environment sets GOGC or GOMEMLIMIT.
//
// After each collection, afterCollection sets the memory limit again, by the size of the live heap. If
// the first limit is too low, one more collection runs.
func CollectRarely() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(rareShare)
	afterCollection(&cycle{})
}

// cycle is the type of an object that nothing refers to, so the next collection calls its finalizer.
// Without a pointer in it, the runtime would allocate it in a block with other small values. Such a block
// would delay the finalizer.
type cycle struct {
	limit int64
	_     *cycle
}

// afterCollection sets the memory limit by the size of the live heap. It also makes itself run again after
// the next collection.
func afterCollection(c *cycle) {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	limit := limitFor(sample[0].Value.Uint64())
	if limit != c.limit {
		debug.SetMemoryLimit(limit)
	}
	runtime.SetFinalizer(&cycle{limit: limit}, afterCollection)
}
