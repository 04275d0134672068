package render

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

// leastPacked is the size, in bytes, from which pages and files are compressed.
const leastPacked = 1024

// pack returns the content compressed with gzip, or nil if the content is smaller than leastPacked or
// gzip does not shrink it.
func pack(content []byte) []byte {
	if len(content) < leastPacked {
		return nil
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(content) // a buffer returns no error
	if z.Close() != nil || b.Len() >= len(content) {
		return nil
	}
	return b.Bytes()
}

// takesGzip reports whether the client accepts gzip.
func takesGzip(c *gin.Context) bool {
	return strings.Contains(c.GetHeader("Accept-Encoding"), "gzip")
}

// sendPage sends a page. If the browser has the same page in its cache, it sends status 304 without a
// body.
func sendPage(c *gin.Context, status int, html []byte) {
	c.Writer.Header().Add("Vary", "Accept-Encoding")
	if status == http.StatusOK && c.Request.Method != http.MethodPost {
		sum := sha256.Sum256(html)
		tag := `W/"` + hex.EncodeToString(sum[:8]) + `"`
		c.Header("ETag", tag)
		if c.GetHeader("If-None-Match") == tag {
			c.Writer.Header().Del("Content-Security-Policy") // the browser keeps the header of the cached page
			c.Status(http.StatusNotModified)
			return
		}
	}
	if packed := pack(html); packed != nil && takesGzip(c) {
		c.Header("Content-Encoding", "gzip")
		html = packed
	}
	c.Data(status, HTMLMedia, html)
}
