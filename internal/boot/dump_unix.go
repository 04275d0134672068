//go:build unix

package boot

import (
	"log/slog"
	"os"
	"os/signal"
	"syscall"
)

// dumpOnSignal logs the stacks of all goroutines whenever the process receives SIGUSR1. The
// returned function `stop` ends the handling of the signal, and waits for a dump that has begun.
func dumpOnSignal(log *slog.Logger) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range signals {
			dump(log)
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
		<-done
	}
}
