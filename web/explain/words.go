package explain

import (
	"fmt"
	"strings"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/web/locale"
)

// reasonWords returns the text of a reason and the text of the next step. The second text is "" if there
// is no next step.
func reasonWords(in locale.Printer, code string, args ...any) (detail, hint string) {
	values := in.Values(args...)
	detail, _ = words.Say(string(in), "why."+code, values)
	hint, _ = words.Say(string(in), "why."+code+".do", values)
	return strings.TrimSpace(detail), hint
}

// payloadHead returns the bytes with which all payloads of a row begin: its id in hexadecimal.
func payloadHead(id events.ID) string { return fmt.Sprintf("%016x", int64(id)) }
