package blobs

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/google/uuid"
)

// Scratch implements Store.
func (d *Dir) Scratch(r io.Reader, limit int64) (*File, error) {
	name := uuid.Must(uuid.NewV7()).String() + partial
	f, err := d.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("blobs: scratch: %w", wrapDisk(err))
	}
	src := &trackedReader{Reader: io.LimitReader(r, limit+1)}
	err = d.root.Remove(name)
	n := int64(0)
	if err == nil {
		n, err = io.Copy(f, src)
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err == nil && n > limit {
		err = ErrTooLarge
	}
	if err != nil {
		return nil, fmt.Errorf("blobs: scratch: %w", errors.Join(src.blame(err), f.Close()))
	}
	return &File{f, n}, nil
}
