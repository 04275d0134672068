package request

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/input"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// maxPage is the greatest number of items on a page of a list.
const maxPage = 500

// Page returns the query parameter `limit` and the position in an unsigned cursor.
func Page(c *gin.Context) (limit int, after int64, err error) {
	return ParsePage(c.Query("limit"), c.Query("cursor"))
}

// ListPage returns the query parameter `limit` and the position in a signed cursor.
func (s *Cursors) ListPage(c *gin.Context) (limit int, after int64, err error) {
	if limit, _, err = ParsePage(c.Query("limit"), ""); err != nil {
		return 0, 0, err
	}
	after, err = s.unseal(c)
	return limit, after, err
}

// ParsePage returns the size of a page, 50 by default, and the position in an unsigned cursor.
func ParsePage(size, at string) (limit int, after int64, err error) {
	limit = 50
	if size != "" {
		limit, err = strconv.Atoi(size)
		if err != nil || limit < 1 || limit > maxPage {
			return 0, 0, problem.BadParameter("limit", "limit must be a number from 1 to 500.")
		}
	}
	if at != "" {
		raw, err := base64.RawURLEncoding.DecodeString(at)
		if err == nil {
			after, err = strconv.ParseInt(string(raw), 10, 64)
		}
		if err != nil || after < 0 || after >= 1<<62 {
			return 0, 0, input.BadCursor()
		}
	}
	return limit, after, nil
}

// NextAt returns a pointer to `at`, the position of the next page; nil if `more` is false.
func NextAt(more bool, at int64) *int64 {
	if !more {
		return nil
	}
	return &at
}

// FirstPage reports whether a request is for the first page of a list.
func FirstPage(c *gin.Context) bool { return c.Query("cursor") == "" }

// MoreAt returns the path of the next page with an unsigned cursor; "" if there is no next page.
func MoreAt(path string, next *int64) string {
	if next == nil {
		return ""
	}
	return path + "?cursor=" + Cursor(*next)
}

// FormPage returns the path of a page, with fields of the form as parameters. An example is the cursor of
// the page that contained the form. FormPage leaves out empty fields.
func FormPage(c *gin.Context, path string, names ...string) string {
	form, to := Form(c), url.Values{}
	for _, name := range names {
		if value := form.Get(name); value != "" {
			to.Set(name, value)
		}
	}
	if len(to) == 0 {
		return path
	}
	return path + "?" + to.Encode()
}

// Cursor returns an unsigned cursor for a position in a list.
func Cursor(at int64) string {
	return base64.RawURLEncoding.EncodeToString(strconv.AppendInt(nil, at, 10))
}

// Number returns a query parameter that is a number from `low` to `high`; 0 if it is missing.
func Number(c *gin.Context, name string, low, high int) (int, error) {
	text := c.Query(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		return 0, problem.BadParameter(name, fmt.Sprintf("%s must be a number from %d to %d.", name, low, high))
	}
	return n, nil
}

// OneOf returns a query parameter that must have one of the known values; "" if it is missing.
func OneOf[T ~string](c *gin.Context, name string, known ...T) (T, error) {
	value := T(c.Query(name))
	if value == "" || slices.Contains(known, value) {
		return value, nil
	}
	return "", problem.BadParameter(name, fmt.Sprintf("%s must be one of %v.", name, known))
}

// SomeOf returns a query parameter that is a list of known values, separated by commas; nil if it is
// missing.
func SomeOf[T ~string](c *gin.Context, name string, known ...T) ([]T, error) {
	text := c.Query(name)
	if text == "" {
		return nil, nil
	}
	var out []T
	for value := range strings.SplitSeq(text, ",") {
		if !slices.Contains(known, T(value)) {
			return nil, problem.BadParameter(name, fmt.Sprintf("%s must be of %v, with commas between several.",
				name, known))
		}
		out = append(out, T(value))
	}
	return out, nil
}

// ReadTime parses a query parameter as an RFC 3339 time and returns it in unix ms; 0 if it is
// missing.
func ReadTime(c *gin.Context, name string) (int64, error) {
	text := c.Query(name)
	if text == "" {
		return 0, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || at.UnixMilli() <= 0 {
		return 0, problem.BadParameter(name, fmt.Sprintf("%s is a time such as 2027-01-31T12:00:00Z.", name))
	}
	return at.UnixMilli(), nil
}
