package web

import (
	"bytes"
	"cmp"
	"net/http"

	"github.com/gin-gonic/gin"
)

// bufferedResponse is a ResponseWriter that keeps the body and the status of a response in memory until
// its method `send` is called. Before that, Server.note may store the body and the status under the
// Idempotency-Key. The headers belong to the wrapped writer.
type bufferedResponse struct {
	gin.ResponseWriter
	status  int // 0: not chosen yet
	body    bytes.Buffer
	written bool
}

// Unwrap supports http.ResponseController.
func (h *bufferedResponse) Unwrap() http.ResponseWriter { return h.ResponseWriter }

// WriteHeader sets the status. It does nothing if the response has begun or the status is not positive.
func (h *bufferedResponse) WriteHeader(status int) {
	if !h.written && status > 0 {
		h.status = status
	}
}

// WriteHeaderNow begins the response.
func (h *bufferedResponse) WriteHeaderNow() { h.written = true }

func (h *bufferedResponse) Write(b []byte) (int, error) {
	h.written = true
	return h.body.Write(b)
}

// WriteString appends a string to the body.
func (h *bufferedResponse) WriteString(s string) (int, error) {
	h.written = true
	return h.body.WriteString(s)
}

// Status returns the status that the handler has chosen, or 200.
func (h *bufferedResponse) Status() int { return cmp.Or(h.status, http.StatusOK) }

// Size returns the number of bytes of the body so far; -1 before the handler has begun the response.
func (h *bufferedResponse) Size() int {
	if !h.written {
		return -1
	}
	return h.body.Len()
}

// Written reports whether the handler has begun the response.
func (h *bufferedResponse) Written() bool { return h.written }

// Flush does nothing, because the method `send` writes the whole response at once.
func (h *bufferedResponse) Flush() {}

// send writes the response.
func (h *bufferedResponse) send() error {
	h.ResponseWriter.WriteHeader(h.Status())
	if h.body.Len() == 0 {
		h.ResponseWriter.WriteHeaderNow()
		return nil
	}
	_, err := h.ResponseWriter.Write(h.body.Bytes())
	return err
}
