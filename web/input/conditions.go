package input

import (
	"net/http"
	"strings"
)

// IfNoneMatch reports whether the header If-None-Match contains the tag or "*". Weak tags match, too.
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

// IfMatch reports whether the header If-Match contains the tag. Weak tags do not match, and neither does
// "*", which NoIfMatch reports.
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

// NoIfMatch reports whether the header If-Match is missing, empty or "*".
func NoIfMatch(h http.Header) bool {
	text := strings.TrimSpace(strings.Join(h.Values("If-Match"), ""))
	return text == "" || text == "*"
}
