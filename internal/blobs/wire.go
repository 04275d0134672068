package blobs

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"
)

// How long a service may take to be reached, and to say anything at all.
const (
	dialTimeout = 10 * time.Second
	silence     = 60 * time.Second
)

// transport reaches a service. Files may take any time, as long as they move.
func transport() *http.Transport {
	dialer := net.Dialer{Timeout: dialTimeout}
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			c, err := dialer.DialContext(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			return &lively{c}, nil
		},
		TLSHandshakeTimeout:   dialTimeout,
		ResponseHeaderTimeout: silence,
		MaxIdleConnsPerHost:   16,
		IdleConnTimeout:       silence / 2,
		DisableCompression:    true, // what is stored is what is read
	}
}

// lively is a connection that breaks when nothing moves.
type lively struct{ net.Conn }

// Read implements io.Reader.
func (c *lively) Read(p []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(silence)); err != nil {
		return 0, err
	}
	return c.Conn.Read(p)
}

// Write implements io.Writer.
func (c *lively) Write(p []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(silence)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}

// capped ends with ErrTooLarge behind so many bytes.
type capped struct {
	io.Reader
	left int64
}

// Read implements io.Reader.
func (c *capped) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if c.left -= int64(n); c.left < 0 {
		return 0, ErrTooLarge
	}
	return n, err
}

// broken keeps what a reader fails with to itself: minio-go takes
// io.ErrUnexpectedEOF, as an upload that is cut off ends, for the end of a file.
type broken struct{ io.Reader }

var errBroken = errors.New("blobs: what is stored broke off")

// Read implements io.Reader.
func (b *broken) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = errBroken
	}
	return n, err
}
