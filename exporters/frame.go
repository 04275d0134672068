package exporters

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
)

// frame holds the head of a frame. A frame is a sequence of rows in the file of a part; the rows follow the
// head.
type frame struct {
	rows uint32
	raw  uint32 // bytes of the rows
	size uint32 // bytes after the head: compressed, or as many as raw
	crc  uint32 // CRC-32 (IEEE) of the rows
}

const headSize = 16

func (f frame) bytes() []byte {
	b := make([]byte, 0, headSize)
	for _, n := range []uint32{f.rows, f.raw, f.size, f.crc} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

// errDamaged means that the file of a part has changed after it was written. errCutOff means that
// the file ends inside a frame.
var (
	errDamaged = errors.New("the file of a part is damaged")
	errCutOff  = fmt.Errorf("%w: it is cut off", errDamaged)
)

// readFrame reads the head of the next frame. It returns io.EOF after the last frame.
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

// copies is a pool of buffers for copyFrame. Most frames fit into one buffer.
var copies = sync.Pool{New: func() any { b := make([]byte, frameBytes+frameBytes/8); return &b }}

// copyFrame copies the bytes after the head of a frame from r to w.
func copyFrame(w io.Writer, r io.Reader, f frame) error {
	buf := copies.Get().(*[]byte) //nolint:forcetypeassert // the pool holds no other type
	defer copies.Put(buf)
	n, err := io.CopyBuffer(w, io.LimitReader(r, int64(f.size)), *buf)
	if err == nil && n < int64(f.size) {
		return errCutOff
	}
	return err
}
