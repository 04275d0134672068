package request

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"mime"
	"net/http"
)

// uploadHeaders are the headers that describe the file of a new upload. They are part of the
// fingerprint, because the request has no body.
var uploadHeaders = []string{"Upload-Length", "Upload-Metadata"}

// FingerprintBody is the body of a request. It hashes the bytes while the handler reads them. The hash
// leaves out the boundary of a form, because clients choose a new boundary when they repeat the request.
type FingerprintBody struct {
	io.ReadCloser
	hash  hash.Hash
	cut   []byte // boundary between the parts of a form; empty for other bodies
	tail  []byte // last bytes, which may begin a boundary
	ended bool
	fault error // error of the first failed read; a later io.EOF is then not the end of the body
}

// NewFingerprintBody wraps the body of a request.
func NewFingerprintBody(r *http.Request) *FingerprintBody {
	p := &FingerprintBody{ReadCloser: r.Body, hash: sha256.New()}
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		media = r.Header.Get("Content-Type")
	}
	if boundary := params["boundary"]; boundary != "" {
		p.cut = []byte("--" + boundary)
	}
	_, _ = io.WriteString(p.hash, media+"\n") // a hash returns no error
	for _, name := range uploadHeaders {
		if value := r.Header.Get(name); value != "" {
			_, _ = io.WriteString(p.hash, name+": "+value+"\n")
		}
	}
	return p
}

func (p *FingerprintBody) Read(b []byte) (int, error) {
	if p.fault != nil {
		return 0, p.fault
	}
	n, err := p.ReadCloser.Read(b)
	p.add(b[:n])
	switch {
	case errors.Is(err, io.EOF):
		p.ended = true
	case err != nil:
		p.fault = err // net/http returns the error of a broken body once, then io.EOF
	}
	return n, err
}

// add hashes the bytes that were read, except the boundaries of a form.
func (p *FingerprintBody) add(b []byte) {
	if len(p.cut) == 0 {
		_, _ = p.hash.Write(b)
		return
	}
	p.tail = append(p.tail, b...)
	for {
		at := bytes.Index(p.tail, p.cut)
		if at < 0 {
			break
		}
		_, _ = p.hash.Write(p.tail[:at])
		_, _ = p.hash.Write([]byte("--\x00")) // bytes that no boundary contains
		p.tail = p.tail[at+len(p.cut):]
	}
	if rest := len(p.tail) - len(p.cut) + 1; rest > 0 {
		_, _ = p.hash.Write(p.tail[:rest])
		p.tail = append(p.tail[:0:0], p.tail[rest:]...)
	}
}

// Sum returns the fingerprint of the body. The result `ok` is false if the handler has not read the
// body to its end.
func (p *FingerprintBody) Sum() (print string, ok bool) {
	if !p.ended {
		return "", false
	}
	_, _ = p.hash.Write(p.tail)
	p.tail = nil
	return hex.EncodeToString(p.hash.Sum(nil)), true
}
