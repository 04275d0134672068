package view

import (
	"encoding/json"
	"io"
	"iter"

	"github.com/rollcall-dev/rollcall/internal/audit"
)

// WriteAudit writes audit entries as one JSON object per line.
func WriteAudit(w io.Writer, entries iter.Seq2[*audit.Entry, error]) error {
	out := json.NewEncoder(w)
	for e, err := range entries {
		if err != nil {
			return err
		}
		if err := out.Encode(OfAuditEntry(e)); err != nil {
			return err
		}
	}
	return nil
}
