package api

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/exporters"
	"github.com/rollcall-dev/rollcall/internal/blobs"
	"github.com/rollcall-dev/rollcall/internal/table"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// errNotMade returns the problem that an export has no file yet. Its text has the reason.
func errNotMade(t *tasks.Task) error {
	why := "parts of it are still being written, or have failed"
	switch t.Status {
	case tasks.Canceling, tasks.Canceled:
		why = "the export was canceled"
	case tasks.Failed, tasks.FinishedWithFailures:
		why = "parts of it have failed"
	case tasks.Paused:
		why = "the export is paused"
	}
	return problem.New(http.StatusConflict, "EXPORT_NOT_READY", "The file is not ready: "+why+". "+
		"With partial=true you get the rows of the finished parts.")
}

// stored holds the properties of a stored file that the response needs.
type stored struct {
	id      string
	name    string
	sha256  string // hex
	charset string
	at      int64 // unix ms
}

// storedOf returns the properties of a task's file: its result if `id` is the id of the result, otherwise
// its upload.
func storedOf(t *tasks.Task, id string) stored {
	if id != t.ResultID {
		return stored{t.FileID, t.FileName, t.FileSHA256, t.FileEncoding, t.CreatedAt}
	}
	charset, _ := t.Options["encoding"].(string)
	return stored{t.ResultID, t.ResultName, t.ResultSHA256, table.CharsetName(charset), t.FinishedAt}
}

// send answers with a stored file, or with the requested ranges of the file. The ETag is the SHA-256 of
// the file.
func (s *Handlers) send(c *gin.Context, file stored) error {
	f, err := s.Files.Get(c.Request.Context(), file.id)
	if errors.Is(err, blobs.ErrNotFound) {
		return problem.ErrFileExpired // deleted a moment ago
	}
	if err != nil {
		return err
	}
	defer f.Close()
	name := strings.Map(safeRune, file.name)
	c.Header("Content-Disposition", attachment(name))
	c.Header("Content-Type", mediaTypeOf(name, file.charset))
	c.Header("ETag", `"`+file.sha256+`"`)
	if sum, err := hex.DecodeString(file.sha256); err == nil {
		c.Header("Repr-Digest", "sha-256=:"+base64.StdEncoding.EncodeToString(sum)+":")
	}
	w := &ranged{ResponseWriter: c.Writer}
	http.ServeContent(w, c.Request, "", time.UnixMilli(file.at), f)
	if w.none {
		return problem.ErrNoRange
	}
	return nil
}

// ranged is a writer that drops the response of net/http to a range outside the file, so that send can
// answer with a problem.
type ranged struct {
	http.ResponseWriter
	none bool
}

// WriteHeader implements http.ResponseWriter.
func (w *ranged) WriteHeader(status int) {
	if w.none = status == http.StatusRequestedRangeNotSatisfiable; !w.none {
		w.ResponseWriter.WriteHeader(status)
	}
}

func (w *ranged) Write(p []byte) (int, error) {
	if w.none {
		return len(p), nil
	}
	return w.ResponseWriter.Write(p)
}

// ReadFrom copies a file with a pooled buffer. io.Copy would hold a new buffer of 32 KiB for each
// response until the whole file is sent.
func (w *ranged) ReadFrom(r io.Reader) (int64, error) {
	b := copyBuffers.Get()
	defer copyBuffers.Put(b)
	buffer, _ := b.(*[copySize]byte) // the pool holds only this type
	return io.CopyBuffer(struct{ io.Writer }{w}, r, buffer[:])
}

// copySize is the size of the buffer that copies a file, in bytes.
const copySize = 16 << 10

var copyBuffers = sync.Pool{New: func() any { return new([copySize]byte) }}

// Unwrap supports http.ResponseController.
func (w *ranged) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// attachment returns a Content-Disposition by RFC 6266 that makes browsers save the response under a name.
// Clients without support for the extended syntax use "_" for characters outside ASCII, quotes and
// backslashes.
func attachment(name string) string {
	plain := strings.Map(func(r rune) rune {
		if r > '~' || r == '"' || r == '\\' {
			return '_'
		}
		return r
	}, name)
	if plain == name {
		return mime.FormatMediaType("attachment", map[string]string{"filename": name})
	}
	return fmt.Sprintf(`attachment; filename="%s"; filename*=UTF-8''%s`,
		plain, strings.ReplaceAll(url.QueryEscape(name), "+", "%20"))
}

// getExport serves GET /tasks/{id}/result for an export. It sends the file of the export, and rejects
// the parameters format and only. Before the file exists, a request with partial=true receives the rows
// of the parts that have ended.
func (s *Handlers) getExport(c *gin.Context, t *tasks.Task) error {
	for _, name := range []string{"format", "only"} {
		if c.Query(name) != "" {
			return problem.BadParameter(name, name+" is not for exports: the request for an export chose its format.")
		}
	}
	switch {
	case t.ResultID != "" && t.ResultPurgedAt > 0:
		return problem.ErrFileExpired
	case t.ResultID != "":
		return s.send(c, storedOf(t, t.ResultID))
	case c.Query("partial") != "true":
		return errNotMade(t)
	}
	kind, _ := s.Kinds.Kind(t.Kind) // the parts of an unregistered kind cannot be written
	name, err := exporters.PartialName(t)
	if err != nil {
		return err
	}
	c.Header("Content-Disposition", attachment(name))
	c.Header("Content-Type", mediaTypeOf(name, storedOf(t, "").charset))
	_, err = s.Parts.Write(c.Request.Context(), c.Writer, t, kind, s.Events)
	if errors.Is(err, blobs.ErrNotFound) || errors.Is(err, exporters.ErrOutdated) {
		return problem.ErrFileExpired
	}
	return err
}

// packedTypes are the media types of compressed files, by extension.
var packedTypes = map[string]string{".gz": "application/gzip", ".zip": "application/zip"}

// packedType returns the media type of a compressed file by the extension of its name; "" for any other
// extension.
func packedType(name string) string { return packedTypes[strings.ToLower(path.Ext(name))] }
