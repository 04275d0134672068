package base

import (
	"net/http"
	"strings"
)

// writer adds the base to the header Location of an answer.
type writer struct {
	http.ResponseWriter
	base string
	done bool
}

// Writer returns a writer of answers that adds a base to addresses in headers.
func Writer(w http.ResponseWriter, to string) http.ResponseWriter {
	return &writer{ResponseWriter: w, base: to}
}

// WriteHeader sends the headers.
func (w *writer) WriteHeader(status int) {
	if at := w.Header().Get("Location"); !w.done && status >= http.StatusOK {
		w.done = true
		if strings.HasPrefix(at, "/") && !strings.HasPrefix(at, "//") {
			w.Header().Set("Location", w.base+at)
		}
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write sends the headers, if they are not sent yet, and a part of the body.
func (w *writer) Write(b []byte) (int, error) {
	if !w.done {
		w.WriteHeader(http.StatusOK)
	}
	return w.ResponseWriter.Write(b)
}

// Flush sends what was written.
func (w *writer) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

// Unwrap returns the writer of the connection.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// CookiePath returns the path of the cookies of a base.
func CookiePath(of string) string {
	if of == "" {
		return "/"
	}
	return of
}
