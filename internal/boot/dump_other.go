//go:build !unix

package boot

import "log/slog"

// dumpOnSignal does nothing: the system has no signal for it.
func dumpOnSignal(*slog.Logger) (stop func()) { return func() {} }
