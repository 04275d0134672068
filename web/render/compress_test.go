package render

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"
)

func TestTakesGzip_Weights_AreFollowed(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]bool{
		"": false, "gzip": true, "br, GZIP;q=0.5": true, "gzip, deflate, br, zstd": true, "gzip ; q=1": true, "gzip;q=0": false,
		"br, gzip; q=0.000": false, "GZip;Q=0.0, *": false, "identity": false, "notgzip": false, "gzip;q=0.001": true,
	} {
		c, _ := gin.CreateTestContext(httptest.NewRecorder())
		c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		c.Request.Header.Set("Accept-Encoding", header)
		if got := takesGzip(c); got != want {
			t.Errorf("%q: %v, want %v", header, got, want)
		}
	}
}

// TestSendPage_OnlyAgesChanged_ScriptGetsNoBody: a script writes the ages itself. A browser that shows the page
// gets the new ages, and a script gets every other change.
func TestSendPage_OnlyAgesChanged_ScriptGetsNoBody(t *testing.T) {
	t.Parallel()
	send := func(html, tag, dest string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		c, _ := gin.CreateTestContext(w)
		c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		c.Request.Header.Set("If-None-Match", tag)
		c.Request.Header.Set("Sec-Fetch-Dest", dest)
		sendPage(c, http.StatusOK, []byte(html))
		c.Writer.WriteHeaderNow()
		return w
	}
	const before, after = `<b>1</b><time datetime="x" data-ago title="y">2 min. ago</time>`, `<b>1</b><time datetime="x" data-ago title="y">3 min. ago</time>`
	tag := send(before, "", "document").Header().Get("ETag")
	for _, tt := range []struct {
		html, dest string
		want       int
	}{
		{before, "document", http.StatusNotModified},
		{after, "document", http.StatusOK},
		{after, "empty", http.StatusNotModified},
		{"<b>2</b>" + after, "empty", http.StatusOK},
	} {
		if got := send(tt.html, tag, tt.dest); got.Code != tt.want {
			t.Errorf("%s for %s: status %d, want %d", tt.html, tt.dest, got.Code, tt.want)
		}
	}
}
