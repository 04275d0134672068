package client

import (
	"context"
	"io"
	"strings"
	"sync"
)

// stream is a request body with a file, which is read while the request is sent.
type stream struct {
	head, end string
	file      io.Reader
	rewind    func() error // seeks to the start of the file; nil if the file can be read only once
	sent      <-chan struct{}
}

func newStream(head string, file io.Reader, end string) *stream {
	s := &stream{head: head, file: file, end: end}
	if seeker, ok := file.(io.Seeker); ok {
		// The Seek method of a pipe always returns an error.
		if from, err := seeker.Seek(0, io.SeekCurrent); err == nil {
			s.rewind = func() error { _, err := seeker.Seek(from, io.SeekStart); return err }
		}
	}
	return s
}

// sendsOnce reports whether the body can be sent only once.
func (s *stream) sendsOnce() bool { return s != nil && s.rewind == nil }

// open returns the body for sending the request once, with its reader wrapped by the function `wrap`.
func (s *stream) open(wrap func(io.Reader) io.Reader) io.ReadCloser {
	sent := make(chan struct{})
	s.sent = sent
	body := io.MultiReader(strings.NewReader(s.head), s.file, strings.NewReader(s.end))
	return sending{wrap(body), sync.OnceFunc(func() { close(sent) })}
}

// prepareResend waits until the transport has closed the last body, and seeks to the start of the
// file. The transport may still read the file after it has returned a response.
func (s *stream) prepareResend(ctx context.Context) error {
	if s == nil {
		return nil
	}
	select {
	case <-s.sent:
		return s.rewind()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// sending is a body that calls the function `done` when the transport closes it.
type sending struct {
	io.Reader
	done func()
}

func (s sending) Close() error { s.done(); return nil }
