package tabular

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// FreeBytes is the largest size, in bytes, of an unpacked part that is exempt from Limits.Ratio.
const FreeBytes = 1 << 20

// Counter is a reader that counts the bytes read through it.
type Counter struct {
	In io.Reader
	N  int64
}

// Read reads from the field In.
func (c *Counter) Read(p []byte) (int, error) {
	n, err := c.In.Read(p)
	c.N += int64(n)
	return n, err
}

// TempFile creates a temporary file without a name, so that a killed process leaves no file in the
// folder.
func TempFile(folder string) (*os.File, error) {
	f, err := os.CreateTemp(folder, "rollcall-*")
	if err != nil {
		return nil, fmt.Errorf("temporary file: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(fmt.Errorf("temporary file: %w", err), f.Close())
	}
	return f, nil
}
