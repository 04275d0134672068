package render

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html/template"
	"mime"
	"net/http"
	"path"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/problem"
)

//go:embed static
var staticFiles embed.FS

// static holds the files that pages load. The URL of a file contains the hash of its content, so
// browsers may cache the file for a year.
type static struct {
	files map[string]staticFile // by name
}

type staticFile struct {
	content []byte
	packed  []byte // content in gzip; nil if gzip is not smaller
	hash    string
}

// Assets returns the files that pages load. All servers of a process share them.
var Assets = sync.OnceValue(newStatic)

func newStatic() *static {
	s := &static{map[string]staticFile{}}
	entries, err := staticFiles.ReadDir("static")
	if err != nil {
		panic(err) // embedded: cannot be missing
	}
	for _, e := range entries {
		b, err := staticFiles.ReadFile("static/" + e.Name())
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(b)
		s.files[e.Name()] = staticFile{b, pack(b), hex.EncodeToString(sum[:8])}
	}
	return s
}

// url returns the URL of a file. The hash is empty for an unknown file.
func (s *static) url(name string) string {
	return "/static/" + name + "?v=" + s.files[name].hash
}

// icon returns the icon with this name from icons.svg as HTML. Screen readers skip the icon, because a
// text stands beside it.
func icon(name string) template.HTML {
	at := template.HTMLEscapeString(Assets().url("icons.svg") + "#" + name)
	return template.HTML(`<svg class="i" aria-hidden="true"><use href="` + at + `"/></svg>`) //nolint:gosec // it is escaped
}

// Serve serves GET /static/{file}. If the URL has the hash of the file, browsers may cache the response;
// otherwise, they must revalidate it.
func (s *static) Serve(c *gin.Context) error {
	name := path.Base(c.Param("file"))
	f, ok := s.files[name]
	if !ok || c.Param("file") != "/"+name {
		return problem.ErrNoPath
	}
	keep := "no-cache"
	if c.Query("v") == f.hash {
		keep = "public, max-age=31536000, immutable"
	}
	c.Header("Cache-Control", keep)
	c.Header("ETag", `"`+f.hash+`"`)
	c.Header("Vary", "Accept-Encoding")
	content := f.content
	if f.packed != nil && takesGzip(c) && c.GetHeader("Range") == "" {
		c.Header("Content-Encoding", "gzip")
		c.Header("Content-Type", mime.TypeByExtension(path.Ext(name)))
		content = f.packed
	}
	http.ServeContent(c.Writer, c.Request, name, time.Time{}, bytes.NewReader(content))
	return nil
}
