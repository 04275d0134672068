package render

import (
	"net/url"
	"strings"
)

// Inside returns `to` if it is a path of this service, and "/" otherwise. Therefore, a form cannot redirect
// to another site.
func Inside(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(to, "/") ||
		strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n") {
		return "/"
	}
	return to
}
