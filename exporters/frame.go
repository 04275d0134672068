package exporters

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
)

// frame is a run of rows in the file of a part, as it stands before them.
type frame struct {
	rows uint32
	raw  uint32 // bytes of the rows
	size uint32 // bytes that follow: as many, or what they are compressed to
	crc  uint32 // CRC-32 (IEEE) of the rows
}

// headSize is how many bytes the head of a frame has.
const headSize = 16

func (f frame) bytes() []byte {
	b := make([]byte, 0, headSize)
	for _, n := range []uint32{f.rows, f.raw, f.size, f.crc} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

// errDamaged means that the file of a part is not as it was written; errCutOff, that it ends
// before a frame does.
var (
	errDamaged = errors.New("the file of a part is damaged")
	errCutOff  = fmt.Errorf("%w: it is cut off", errDamaged)
)

// readFrame reads the head of the next frame; io.EOF behind the last.
func readFrame(r io.Reader) (frame, error) {
	var b [headSize]byte
	switch _, err := io.ReadFull(r, b[:]); {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return frame{}, errCutOff
	case err != nil:
		return frame{}, err
	}
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }
	return frame{word(0), word(1), word(2), word(3)}, nil
}

// copies holds buffers of copyFrame. Most frames fit into one.
var copies = sync.Pool{New: func() any { b := make([]byte, frameBytes+frameBytes/8); return &b }}

// copyFrame copies what follows the head of a frame.
func copyFrame(w io.Writer, r io.Reader, f frame) error {
	buf := copies.Get().(*[]byte) //nolint:forcetypeassert // the pool makes no others
	defer copies.Put(buf)
	n, err := io.CopyBuffer(w, io.LimitReader(r, int64(f.size)), *buf)
	if err == nil && n < int64(f.size) {
		return errCutOff
	}
	return err
}
