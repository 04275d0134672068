package boot

import (
	"io"
	"log/slog"
	"os"

	"github.com/lmittmann/tint"
	"github.com/mattn/go-isatty"
)

// Logger returns a logger to w with the configured format and level.
func (c Config) Logger(w io.Writer) *slog.Logger {
	opt := &slog.HandlerOptions{Level: c.level()}
	f, ok := w.(*os.File)
	switch {
	case c.LogFormat == "json":
		return slog.New(slog.NewJSONHandler(w, opt))
	case c.LogFormat == "auto" && ok && isatty.IsTerminal(f.Fd()):
		return slog.New(tint.NewTextHandler(w, &tint.Options{Level: opt.Level, TimeFormat: "15:04:05.000"}))
	}
	return slog.New(slog.NewTextHandler(w, opt))
}
