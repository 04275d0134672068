package explain

import (
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/web/locale"
)

// reasonWords returns a reason that a row is explained by, in words, and what to do about it, if
// anything can be done.
func reasonWords(in locale.Printer, code string, args ...any) (detail, hint string) {
	values := in.Values(args...)
	detail, _ = words.Say(string(in), "why."+code, values)
	hint, _ = words.Say(string(in), "why."+code+".do", values)
	return strings.TrimSpace(detail), hint
}

// payloadHead returns the beginning of a row's payloads.
func payloadHead(id events.ID) string { return fmt.Sprintf("%016x", int64(id)) }
