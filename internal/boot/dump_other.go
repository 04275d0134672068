//go:build !unix

package boot

import "log/slog"

// dumpOnSignal does nothing, because this system does not have SIGUSR1.
func dumpOnSignal(*slog.Logger) (stop func()) { return func() {} }
