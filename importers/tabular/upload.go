package tabular

import (
	"errors"
	"fmt"
	"io"
)

var errOffset = errors.New("negative offset")

// Upload is a stored file. It records the first fault of the storage. Readers then do not report the fault
// as a damaged file.
type Upload struct {
	Size int64 // in bytes
	Err  error // the first fault of the storage, or nil
	r    io.ReaderAt
}

// NewUpload returns an upload of `size` bytes, which `r` reads.
func NewUpload(r io.ReaderAt, size int64) *Upload { return &Upload{r: r, Size: size} }

// ReadAt reads from the storage. If the stored file is shorter than the field Size, ReadAt returns a
// fault of the storage.
func (u *Upload) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, errOffset // the container has a wrong offset
	}
	if off >= u.Size {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), u.Size-off)]
	n, err := u.r.ReadAt(p, off)
	switch {
	case n == len(p):
		return n, nil
	case err == io.EOF || err == nil:
		err = io.ErrUnexpectedEOF
	}
	if u.Err == nil {
		u.Err = err
	}
	return n, err
}

// IOErr returns nil if `err` is nil. Otherwise it returns the fault of the storage, if there was one,
// in place of `err`. Readers call it before they report a damaged file.
func (u *Upload) IOErr(err error) error {
	if u.Err != nil && err != nil {
		return fmt.Errorf("read upload: %w", u.Err)
	}
	return err
}

// Head returns up to n bytes from the start of the file.
func (u *Upload) Head(n int64) ([]byte, error) {
	b := make([]byte, min(n, u.Size))
	if _, err := u.ReadAt(b, 0); err != nil && err != io.EOF {
		return nil, u.IOErr(err)
	}
	return b, nil
}
