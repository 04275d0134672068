package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/rollcall-dev/rollcall/tasks"
)

// The values of the option dedup, for a file of an existing task.
const (
	dedupNone   = "none"   // the request makes another task
	dedupReuse  = "reuse"  // the request returns the existing task
	dedupReject = "reject" // the request fails
)

// once returns the deduplication key of a request: equal requests have the same content for the
// same kind, read with the same options, whatever their names. A task that ended without success
// does not count.
func (s *Service) once(r *Request, t *tasks.Task) tasks.Once {
	if t.FileSHA256 == "" {
		return tasks.Once{}
	}
	what, err := json.Marshal([]any{
		t.Tenant, t.Kind, t.FileSHA256, t.FileFormat, r.Options.Options.WithDefaults(),
	})
	if err != nil { // texts and numbers always encode
		return tasks.Once{}
	}
	sum := sha256.Sum256(what)
	return tasks.Once{
		Key: "file:" + hex.EncodeToString(sum[:]), Window: s.DedupWindow, Ended: true,
		Anyway: r.Options.Dedup == "" || r.Options.Dedup == dedupNone,
	}
}

// duplicate returns the error of a file of an existing task.
func duplicate(old *tasks.Task) *Error {
	return &Error{
		"DUPLICATE_FILE", fmt.Sprintf("The same file was uploaded a short while ago, as task %s.", old.ID), "/file",
	}
}
