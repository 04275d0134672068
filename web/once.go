package web

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// The values of the option dedup.
const (
	dedupNone   = "none"   // the same file again is another task
	dedupReuse  = "reuse"  // it is the task that is there
	dedupReject = "reject" // it is refused
)

// once tells what the same upload is, and what becomes of a second one: the same
// content for the same kind, read under the same options, whatever its name. A task
// that ended without success does not count.
func (s *Server) once(u *upload, t *tasks.Task) tasks.Once {
	if t.FileSHA256 == "" {
		return tasks.Once{}
	}
	what, err := json.Marshal([]any{
		t.Tenant, t.Kind, t.FileSHA256, t.FileFormat, u.options.Options.WithDefaults(),
	})
	if err != nil { // texts and numbers always encode
		return tasks.Once{}
	}
	sum := sha256.Sum256(what)
	return tasks.Once{
		Key: "file:" + hex.EncodeToString(sum[:]), Window: s.opt.DedupWindow, Ended: true,
		Anyway: u.options.Dedup == "" || u.options.Dedup == dedupNone,
	}
}

// duplicate refuses a file that is there already.
func duplicate(old *tasks.Task) *problem.Problem {
	return problem.New(http.StatusConflict, "DUPLICATE_FILE", fmt.Sprintf(
		"The same file was uploaded a short while ago, as task %s.", old.ID)).At("/file")
}
