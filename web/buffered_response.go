package web

import (
	"bytes"
	"cmp"
	"net/http"

	"github.com/gin-gonic/gin"
)

// bufferedResponse buffers an answer until it is known whether it is stored. It shares the headers of
// the answer below.
type bufferedResponse struct {
	gin.ResponseWriter
	status  int // 0: none was chosen
	body    bytes.Buffer
	written bool
}

// Unwrap supports http.ResponseController.
func (h *bufferedResponse) Unwrap() http.ResponseWriter { return h.ResponseWriter }

// WriteHeader sets the status, unless the answer has begun.
func (h *bufferedResponse) WriteHeader(status int) {
	if !h.written && status > 0 {
		h.status = status
	}
}

// WriteHeaderNow begins the answer.
func (h *bufferedResponse) WriteHeaderNow() { h.written = true }

func (h *bufferedResponse) Write(b []byte) (int, error) {
	h.written = true
	return h.body.Write(b)
}

// WriteString is like Write for a text.
func (h *bufferedResponse) WriteString(s string) (int, error) {
	h.written = true
	return h.body.WriteString(s)
}

// Status returns the status so far.
func (h *bufferedResponse) Status() int { return cmp.Or(h.status, http.StatusOK) }

// Size returns the number of bytes written; -1 before the answer has begun.
func (h *bufferedResponse) Size() int {
	if !h.written {
		return -1
	}
	return h.body.Len()
}

// Written reports whether the answer has begun.
func (h *bufferedResponse) Written() bool { return h.written }

// Flush does nothing: the answer is sent as a whole.
func (h *bufferedResponse) Flush() {}

// send writes the answer.
func (h *bufferedResponse) send() error {
	h.ResponseWriter.WriteHeader(h.Status())
	if h.body.Len() == 0 {
		h.ResponseWriter.WriteHeaderNow()
		return nil
	}
	_, err := h.ResponseWriter.Write(h.body.Bytes())
	return err
}
