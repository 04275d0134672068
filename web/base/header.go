package base

import (
	"net/http"
	"strings"
)

// writer is the ResponseWriter that Writer returns.
type writer struct {
	http.ResponseWriter
	base string
	done bool
}

// Writer returns a ResponseWriter that adds a base to the Location header of a response, if the Location is
// a path on this service.
func Writer(w http.ResponseWriter, to string) http.ResponseWriter {
	return &writer{ResponseWriter: w, base: to}
}

// WriteHeader adds the base to the Location header, and sends the headers.
func (w *writer) WriteHeader(status int) {
	if at := w.Header().Get("Location"); !w.done && status >= http.StatusOK {
		w.done = true
		if strings.HasPrefix(at, "/") && !strings.HasPrefix(at, "//") {
			w.Header().Set("Location", w.base+at)
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write sends the headers if WriteHeader has not sent them, and then a part of the body.
func (w *writer) Write(b []byte) (int, error) {
	if !w.done {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(b)
}

// Flush sends the written part of the response to the client.
func (w *writer) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Unwrap supports http.ResponseController.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// CookiePath returns the Path attribute of cookies for a base.
func CookiePath(of string) string {
	if of == "" {
		return "/"
	}
	return of
}
