package boot

import (
	"log/slog"
	"runtime"
	"strings"
)

// dumpBytes bounds what one dump writes; the stacks behind it are left out.
const dumpBytes = 1 << 20

// dump logs what every goroutine does, one record each. All of them stand still
// while their stacks are gathered, not while they are written.
func dump(log *slog.Logger) {
	buf := make([]byte, dumpBytes)
	n := runtime.Stack(buf, true)
	stacks := strings.Split(strings.TrimSpace(string(buf[:n])), "\n\n")
	log.Info("dump of all goroutines", "goroutines", runtime.NumGoroutine(),
		"told", len(stacks), "cut", n == dumpBytes)
	for _, text := range stacks {
		head, stack, _ := strings.Cut(text, "\n")
		log.Info("goroutine", "state", strings.TrimSuffix(head, ":"), "stack", stack)
	}
}
