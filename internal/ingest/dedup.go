package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/rollcall-dev/rollcall/tasks"
)

// These are the values of the option dedup: what a request does if a task with the same file
// exists.
const (
	dedupNone   = "none"   // the request makes another task
	dedupReuse  = "reuse"  // the request returns the existing task
	dedupReject = "reject" // the request fails
)

// dedupWindow is the time in which an upload counts as a duplicate of an earlier upload of the same
// file. It applies to requests that enable deduplication.
const dedupWindow = 10 * time.Minute

// dedupOf returns the deduplication key of a request. Requests have equal deduplication keys if
// they have the same tenant, kind, content, format and options for reading. Their names may differ.
// A task that failed, was canceled or is being canceled is no duplicate.
func (s *Service) dedupOf(r *Request, t *tasks.Task) tasks.Dedup {
	if t.FileSHA256 == "" {
		return tasks.Dedup{}
	}
	what, err := json.Marshal([]any{
		t.Tenant, t.Kind, t.FileSHA256, t.FileFormat, r.Options.Options.WithDefaults(),
	})
	if err != nil { // texts and numbers always encode
		return tasks.Dedup{}
	}
	sum := sha256.Sum256(what)
	return tasks.Dedup{
		Key: "file:" + hex.EncodeToString(sum[:]), Window: dedupWindow, Ended: true,
		Anyway: r.Options.Dedup == "" || r.Options.Dedup == dedupNone,
	}
}

// duplicate returns the error for a file that an existing task already has.
func duplicate(old *tasks.Task) *Error {
	return &Error{
		"DUPLICATE_FILE", fmt.Sprintf("The same file was uploaded a short while ago, as task %s.", old.ID), "/file",
	}
}
