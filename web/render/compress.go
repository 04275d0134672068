package render

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"
)

// leastPacked is the size, in bytes, from which pages and files are compressed.
const leastPacked = 1024

// packers holds gzip writers. Each new writer would allocate and clear 650 kB.
var packers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// pack returns the content compressed with gzip, or nil if the content is smaller than leastPacked or
// gzip does not shrink it.
func pack(content []byte) []byte {
	if len(content) < leastPacked {
		return nil
	}
	var b bytes.Buffer
	z := packers.Get().(*gzip.Writer)
	defer packers.Put(z)
	z.Reset(&b)
	_, _ = z.Write(content) // a buffer returns no error
	if z.Close() != nil || b.Len() >= len(content) {
		return nil
	}
	return b.Bytes()
}

// takesGzip reports whether the client accepts gzip. A weight of 0 means that it does not.
func takesGzip(c *gin.Context) bool {
	for coding := range strings.SplitSeq(c.GetHeader("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(strings.ToLower(coding), ";")
		if strings.TrimSpace(name) == "gzip" {
			q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(weight), "q="), 64)
			return err != nil || q > 0
		}
	}
	return false
}

// ages matches the start tag and the text of each <time> element that shows an age.
var ages = regexp.MustCompile(`(<time [^>]*data-ago[^>]*>)[^<]*`)

// pageTag returns the ETag of a page. Its first part does not depend on the ages in the page, such as "5
// min. ago", because they change every minute.
func pageTag(html []byte) string {
	stable, all := sha256.Sum256(ages.ReplaceAll(html, []byte("$1"))), sha256.Sum256(html)
	return `W/"` + hex.EncodeToString(stable[:8]) + "-" + hex.EncodeToString(all[:8]) + `"`
}

// sameButAges reports whether the pages with these two ETags differ at most in ages.
func sameButAges(a, b string) bool {
	a, _, ok := strings.Cut(a, "-")
	b, _, _ = strings.Cut(b, "-")
	return ok && a == b
}

// sendPage sends a page. If the browser has the same page in its cache, sendPage sends status 304
// without a body. For a request by a script, a page that differs only in ages counts as the same.
func sendPage(c *gin.Context, status int, html []byte) {
	c.Writer.Header().Add("Vary", "Accept-Encoding")
	if status == http.StatusOK && c.Request.Method != http.MethodPost {
		tag := pageTag(html)
		was := c.GetHeader("If-None-Match")
		if c.GetHeader("Sec-Fetch-Dest") == "empty" && sameButAges(was, tag) {
			tag = was // a script fetches the page, and writes the ages itself
		}
		c.Header("ETag", tag)
		if was == tag {
			c.Writer.Header().Del("Content-Security-Policy") // the browser keeps the header of the cached page
			c.Status(http.StatusNotModified)
			return
		}
	}
	if takesGzip(c) {
		if packed := pack(html); packed != nil {
			c.Header("Content-Encoding", "gzip")
			html = packed
		}
	}
	c.Header("Content-Length", strconv.Itoa(len(html))) // the client need not wait for the end of the response
	c.Data(status, HTMLMedia, html)
}
