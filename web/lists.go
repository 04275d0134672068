package web

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/web/problem"
)

// maxPage bounds a page of a list.
const maxPage = 500

// page reads limit and cursor.
func page(c *gin.Context) (limit int, after int64, err error) {
	return parsePage(c.Query("limit"), c.Query("cursor"))
}

// listPage reads limit and a sealed cursor.
func (s *Server) listPage(c *gin.Context) (limit int, after int64, err error) {
	if limit, _, err = parsePage(c.Query("limit"), ""); err != nil {
		return 0, 0, err
	}
	after, err = s.unseal(c)
	return limit, after, err
}

func parsePage(size, at string) (limit int, after int64, err error) {
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
			return 0, 0, badCursor()
		}
	}
	return limit, after, nil
}

func badCursor() *problem.Problem {
	return problem.New(http.StatusBadRequest, "BAD_CURSOR",
		"cursor must come from this list with the same filters.").At("?cursor")
}

// nextAt returns where the next page starts; nil after the last.
func nextAt(more bool, at int64) *int64 {
	if !more {
		return nil
	}
	return &at
}

// moreAt returns the address of the next page; "" if there is none.
func moreAt(path string, next *int64) string {
	if next == nil {
		return ""
	}
	return path + "?cursor=" + cursor(*next)
}

// cursor returns a place as the parameter of a page's address.
func cursor(at int64) string {
	return base64.RawURLEncoding.EncodeToString(strconv.AppendInt(nil, at, 10))
}

// number reads a query parameter from low to high; 0 if it is missing.
func number(c *gin.Context, name string, low, high int) (int, error) {
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

// oneOf reads a query parameter with known values; "" if it is missing.
func oneOf[T ~string](c *gin.Context, name string, known ...T) (T, error) {
	value := T(c.Query(name))
	if value == "" || slices.Contains(known, value) {
		return value, nil
	}
	return "", problem.BadParameter(name, fmt.Sprintf("%s must be one of %v.", name, known))
}

// someOf reads several known values of a query parameter, separated by commas; nil if it is
// missing.
func someOf[T ~string](c *gin.Context, name string, known ...T) ([]T, error) {
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
