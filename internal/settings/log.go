package settings

import (
	"io"
	"log/slog"
	"os"
)

// Logger returns a logger to w with the configured format and level.
func (c Config) Logger(w io.Writer) *slog.Logger {
	opt := &slog.HandlerOptions{Level: c.level()}
	switch {
	case c.LogFormat == "json":
		return slog.New(slog.NewJSONHandler(w, opt))
	case c.LogFormat == "auto" && isTerminal(w):
		opt.ReplaceAttr = shortTime
	}
	return slog.New(slog.NewTextHandler(w, opt))
}

// isTerminal reports whether w is a terminal or another character device.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// shortTime replaces the time of a log record by its time of day, for terminals.
func shortTime(groups []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey && len(groups) == 0 {
		return slog.String(slog.TimeKey, a.Value.Time().Format("15:04:05.000"))
	}
	return a
}
