package input

import (
	"net/http"
	"strings"
)

// IfNoneMatch reports whether the caller has the version with a tag.
func IfNoneMatch(h http.Header, tag string) bool {
	for _, line := range h.Values("If-None-Match") {
		for one := range strings.SplitSeq(line, ",") {
			one = strings.TrimPrefix(strings.TrimSpace(one), "W/")
			if one == tag || one == "*" {
				return true
			}
		}
	}
	return false
}

// IfMatch reports whether If-Match names the version with a tag as a strong tag.
func IfMatch(h http.Header, tag string) bool {
	for _, line := range h.Values("If-Match") {
		for one := range strings.SplitSeq(line, ",") {
			if strings.TrimSpace(one) == tag {
				return true
			}
		}
	}
	return false
}

// NoIfMatch reports whether a change names no version: it has no If-Match header, or the value "*".
func NoIfMatch(h http.Header) bool {
	text := strings.TrimSpace(strings.Join(h.Values("If-Match"), ""))
	return text == "" || text == "*"
}
