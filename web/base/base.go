// Package base handles the base of the service. The base is the path below which clients reach the
// service, such as /rollcall behind a proxy that serves several programs. The base is "" if the service
// has a host of its own.
//
// Handlers, templates and views write addresses without the base. This package adds the base wherever a
// client receives an address: in headers, cookies, pages and views. It does not decide which proxies
// are trusted.
package base

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// maxBytes is the greatest length of a base.
const maxBytes = 256

// Reserved lists the first segments of the service's own paths. A configured base must not begin with
// any of them, because a path would then have two meanings.
var Reserved = []string{
	"api", "docs", "exports", "healthz", "imports", "kinds", "look", "metrics", "openapi.json", "ops",
	"problems", "readyz", "sign-in", "sign-out", "static", "tasks", "views",
}

// Parse returns the base in a path, without a slash at the end. It returns "" for "" and "/". It returns an
// error if another path does not begin with a slash, if its base is longer than maxBytes, or if a segment
// is forbidden. A segment is forbidden if it is empty, "." or "..", or has a character other than ASCII
// letters, digits, "-", "_", "." and "~".
func Parse(path string) (string, error) {
	path = strings.TrimRight(path, "/")
	if path == "" {
		return "", nil
	}
	segments, ok := strings.CutPrefix(path, "/")
	if !ok || len(path) > maxBytes || slices.ContainsFunc(strings.Split(segments, "/"), isForbidden) {
		return "", fmt.Errorf("%.300q is not a path like /rollcall", path)
	}
	return path, nil
}

// isForbidden reports whether a segment is not allowed in a base.
func isForbidden(segment string) bool {
	const special = "-_.~"
	return segment == "" || segment == "." || segment == ".." || strings.ContainsFunc(segment, func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		return !letter && (r < '0' || r > '9') && !strings.ContainsRune(special, r)
	})
}

// OfAddress returns the base in a public URL, such as /rollcall in https://example.com/rollcall. It
// also returns an error for a base that begins with a segment in Reserved.
func OfAddress(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	path, err := Parse(u.EscapedPath())
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if err == nil && slices.Contains(Reserved, first) {
		return "", fmt.Errorf("/%s is a path of the service itself: choose another", first)
	}
	return path, err
}

type key struct{}

// Of returns the base that Enter has stored in a context; "" if there is none.
func Of(ctx context.Context) string {
	text, _ := ctx.Value(key{}).(string)
	return text
}

// Path is the base path of a request.
type Path struct {
	Text string
	Kept bool // the proxy may have left the base in the path of the request
}

// Enter returns the request with the base in its context. If to.Kept is true and the path of the request
// begins with the base, Enter removes the base from the path.
func Enter(r *http.Request, to Path) *http.Request {
	r = r.WithContext(context.WithValue(r.Context(), key{}, to.Text))
	path, whole := strings.CutPrefix(r.URL.Path, to.Text)
	if !to.Kept || !whole || path != "" && path[0] != '/' {
		return r
	}
	at := *r.URL
	at.Path, at.RawPath = "/"+strings.TrimPrefix(path, "/"), strings.TrimPrefix(r.URL.RawPath, to.Text)
	r.URL = &at
	return r
}
