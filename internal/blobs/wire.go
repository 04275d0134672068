package blobs

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"
)

// These are the timeouts of connections to a service.
const (
	dialTimeout = 10 * time.Second // for connecting
	silence     = 60 * time.Second // the longest time without a transferred byte
)

// transport returns the HTTP transport for an S3 service. A transfer has no total time limit, but fails
// after 60 seconds without a transferred byte.
func transport() *http.Transport {
	dialer := net.Dialer{Timeout: dialTimeout}
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			c, err := dialer.DialContext(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			return &timeoutConn{c}, nil
		},
		TLSHandshakeTimeout:   dialTimeout,
		ResponseHeaderTimeout: silence,
		MaxIdleConnsPerHost:   16,
		IdleConnTimeout:       silence / 2,
		DisableCompression:    true, // bytes are stored unchanged
	}
}

// timeoutConn is a connection whose reads and writes fail after 60 seconds without a transferred byte.
type timeoutConn struct{ net.Conn }

// Read implements io.Reader.
func (c *timeoutConn) Read(p []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(silence)); err != nil {
		return 0, err
	}
	return c.Conn.Read(p)
}

// Write implements io.Writer.
func (c *timeoutConn) Write(p []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(silence)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}

// cappedReader is a reader that returns ErrTooLarge once it has read more bytes than the field `left`
// allows.
type cappedReader struct {
	io.Reader
	left int64
}

// Read implements io.Reader.
func (c *cappedReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if c.left -= int64(n); c.left < 0 {
		return 0, ErrTooLarge
	}
	return n, err
}

// broken is a reader that replaces any error except io.EOF by errBroken. The reason is io.ErrUnexpectedEOF,
// the error of an aborted upload: minio-go would take it for the end of the file.
type broken struct{ io.Reader }

var errBroken = errors.New("blobs: the source of the file broke off")

// Read implements io.Reader.
func (b *broken) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = errBroken
	}
	return n, err
}
