package web

import (
	"bytes"
	"cmp"
	"net/http"

	"github.com/gin-gonic/gin"
)

// held is an answer that is kept back until it is known what it is. Its headers
// are those of the answer under it.
type held struct {
	gin.ResponseWriter
	status  int // 0: none was chosen
	body    bytes.Buffer
	written bool
}

// Unwrap is for http.ResponseController.
func (h *held) Unwrap() http.ResponseWriter { return h.ResponseWriter }

// WriteHeader chooses the status, unless something was written with another.
func (h *held) WriteHeader(status int) {
	if !h.written && status > 0 {
		h.status = status
	}
}

// WriteHeaderNow is the begin of an answer.
func (h *held) WriteHeaderNow() { h.written = true }

func (h *held) Write(b []byte) (int, error) {
	h.written = true
	return h.body.Write(b)
}

// WriteString is Write for a text.
func (h *held) WriteString(s string) (int, error) {
	h.written = true
	return h.body.WriteString(s)
}

// Status is that of the answer so far.
func (h *held) Status() int { return cmp.Or(h.status, http.StatusOK) }

// Size is how many bytes were written; -1 before the answer has begun.
func (h *held) Size() int {
	if !h.written {
		return -1
	}
	return h.body.Len()
}

// Written tells whether the answer has begun.
func (h *held) Written() bool { return h.written }

// Flush does nothing: the answer is sent as a whole.
func (h *held) Flush() {}

// send writes the answer to the one under it.
func (h *held) send() error {
	h.ResponseWriter.WriteHeader(h.Status())
	if h.body.Len() == 0 {
		h.ResponseWriter.WriteHeaderNow()
		return nil
	}
	_, err := h.ResponseWriter.Write(h.body.Bytes())
	return err
}
