package web

import (
	"encoding/base64"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
)

const (
	requestKey    = "request_id"
	requestHeader = "X-Request-Id"
)

// requestID names the request in answers and logs: as the caller called it, if
// that is a plain word, else anew.
func requestID(c *gin.Context) {
	id := c.GetHeader(requestHeader)
	if !plain(id) {
		id = uuid.NewString()
	}
	c.Set(requestKey, id)
	c.Header(requestHeader, id)
}

func plain(s string) bool {
	for _, r := range s {
		word := r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !word && r != '-' && r != '_' && r != '.' {
			return false
		}
	}
	return s != "" && len(s) <= 128
}

// headers that every answer carries.
func headers(c *gin.Context) {
	c.Header("X-Content-Type-Options", "nosniff")
	c.Header("Referrer-Policy", "no-referrer")
	c.Header("X-Frame-Options", "DENY")
}

// maxPage bounds a page of a list.
const maxPage = 500

// page reads limit and cursor.
func page(c *gin.Context) (limit int, after int64, err error) {
	limit = 50
	if text := c.Query("limit"); text != "" {
		limit, err = strconv.Atoi(text)
		if err != nil || limit < 1 || limit > maxPage {
			return 0, 0, badQuery("limit", "limit must be a number from 1 to 500.")
		}
	}
	if text := c.Query("cursor"); text != "" {
		raw, err := base64.RawURLEncoding.DecodeString(text)
		if err == nil {
			after, err = strconv.ParseInt(string(raw), 10, 64)
		}
		if err != nil || after < 0 || after >= 1<<62 {
			return 0, 0, badQuery("cursor", "cursor must be one that a list gave.")
		}
	}
	return limit, after, nil
}

// cursor is where the next page starts; nil behind the last.
func cursor(more bool, at int64) *string {
	if !more {
		return nil
	}
	text := base64.RawURLEncoding.EncodeToString(strconv.AppendInt(nil, at, 10))
	return &text
}

func badQuery(name, detail string) *problem {
	return refuse(http.StatusBadRequest, "INVALID_PARAMETER", detail).field("?" + name)
}

// number reads a query parameter from low to high; 0 if it is not given.
func number(c *gin.Context, name string, low, high int) (int, error) {
	text := c.Query(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		return 0, badQuery(name, name+" must be a number from "+strconv.Itoa(low)+" to "+strconv.Itoa(high)+".")
	}
	return n, nil
}
