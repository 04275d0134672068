package blobs

import (
	"hash"
	"io"
	"sync"
)

// copyBuffers holds the buffers with which Put copies the bytes of a file.
var copyBuffers = sync.Pool{New: func() any { b := make([]byte, 256<<10); return &b }}

// hashingWriter is a writer that also hashes the bytes. It hashes in another goroutine while it writes.
type hashingWriter struct {
	to  io.Writer
	sum hash.Hash
}

// Write implements io.Writer.
func (h hashingWriter) Write(b []byte) (int, error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = h.sum.Write(b) // a hash never fails
	}()
	n, err := h.to.Write(b)
	<-done
	return n, err
}
