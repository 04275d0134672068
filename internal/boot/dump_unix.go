//go:build unix

package boot

import (
	"log/slog"
	"os"
	"os/signal"
	"syscall"
)

// dumpOnSignal logs what every goroutine does whenever the process gets SIGUSR1,
// until the function it returns is called, which waits for a dump under way.
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
