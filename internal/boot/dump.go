package boot

import (
	"log/slog"
	"runtime"
	"strings"
)

// dumpBytes is the maximum size of one dump. Further stacks are left out.
const dumpBytes = 1 << 20

// dump logs the stack of each goroutine in its own record, up to dumpBytes in total. All goroutines stop
// while the stacks are collected, but not while they are logged.
func dump(log *slog.Logger) {
	buf := make([]byte, dumpBytes)
	n := runtime.Stack(buf, true)
	stacks := strings.Split(strings.TrimSpace(string(buf[:n])), "\n\n")
	log.Info("dump of all goroutines", "goroutines", runtime.NumGoroutine(),
		"listed", len(stacks), "cut", n == dumpBytes)
	for _, text := range stacks {
		head, stack, _ := strings.Cut(text, "\n")
		log.Info("goroutine", "state", strings.TrimSuffix(head, ":"), "stack", stack)
	}
}
