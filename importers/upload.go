package importers

import (
	"errors"
	"fmt"
	"io"
)

var errOffset = errors.New("negative offset")

// upload is the file as it was stored. It remembers the first fault of the
// storage, so that one is never told to a person as a damaged file.
type upload struct {
	r    io.ReaderAt
	size int64
	err  error
}

// ReadAt reads like the storage below. An end before size is its fault.
func (u *upload) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, errOffset // a container that lies about its places
	}
	if off >= u.size {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), u.size-off)]
	n, err := u.r.ReadAt(p, off)
	switch {
	case n == len(p):
		return n, nil
	case err == io.EOF || err == nil:
		err = io.ErrUnexpectedEOF
	}
	if u.err == nil {
		u.err = err
	}
	return n, err
}

// blame prefers a fault of the storage to what it looked like further up.
func (u *upload) blame(err error) error {
	if u.err != nil && err != nil {
		return fmt.Errorf("importers: read upload: %w", u.err)
	}
	return err
}

// head returns up to n bytes from the start.
func (u *upload) head(n int64) ([]byte, error) {
	b := make([]byte, min(n, u.size))
	if _, err := u.ReadAt(b, 0); err != nil && err != io.EOF {
		return nil, u.blame(err)
	}
	return b, nil
}
