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

// rareShare is the growth of the heap, in percent, after which a collection starts below memoryFloor.
// It is the value of GOGC.
const rareShare = 400

// limitFor returns the memory limit to set while the live heap has the given size in bytes.
func limitFor(live uint64) int64 { return max(memoryFloor, 2*int64(live)+memoryFloor/4) }

// CollectRarely makes garbage collections rare while the process uses little memory. It changes nothing
// if the environment sets GOGC or GOMEMLIMIT.
//
// The memory limit follows the heap. If the first limit is too low, one more collection runs.
func CollectRarely() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(rareShare)
	afterCollection(&cycle{})
}

// cycle is an unreachable object, so the next collection calls its finalizer. Without a pointer in it,
// the runtime would allocate it in a block with other small values, and such a block would delay the
// finalizer.
type cycle struct {
	limit int64
	_     *cycle
}

// afterCollection sets the memory limit by the live heap. It runs again after the next collection.
func afterCollection(c *cycle) {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	limit := limitFor(sample[0].Value.Uint64())
	if limit != c.limit {
		debug.SetMemoryLimit(limit)
	}
	runtime.SetFinalizer(&cycle{limit: limit}, afterCollection)
}
