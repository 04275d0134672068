package exporters

import (
	"bytes"
	"compress/flate"
	"hash/crc32"
	"io"

	"github.com/rollcall-dev/rollcall/internal/table"
)

// sink is a writer of the rows of a file, frame by frame.
type sink interface {
	frame(f frame, body io.Reader) error
	end() error
}

// plain is a sink that writes rows uncompressed.
type plain struct{ io.Writer }

func (p plain) frame(f frame, body io.Reader) error {
	sum := crc32.NewIEEE()
	err := copyFrame(io.MultiWriter(p, sum), body, f)
	if err == nil && sum.Sum32() != f.crc {
		return errDamaged
	}
	return err
}

func (p plain) end() error { return nil }

// deflated is a writer that joins separately compressed frames into one deflate stream.
type deflated struct {
	out    io.Writer
	packer *flate.Writer
	buf    bytes.Buffer
	crc    uint32
	raw    int64 // uncompressed bytes
	size   int64 // written bytes
}

func newDeflated(out io.Writer, spec table.Spec) (*deflated, error) {
	packer, err := newPacker(spec)
	return &deflated{out: out, packer: packer}, err
}

// addText compresses a text, such as headings, and writes it as a frame. It leaves out an empty text.
func (d *deflated) addText(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	if err := pack(d.packer, &d.buf, b); err != nil {
		return err
	}
	f := frame{raw: uint32(len(b)), size: uint32(d.buf.Len()), crc: crc32.ChecksumIEEE(b)}
	return d.frame(f, &d.buf)
}

func (d *deflated) frame(f frame, body io.Reader) error {
	d.crc = joinCRC(d.crc, f.crc, int64(f.raw))
	d.raw += int64(f.raw)
	d.size += int64(f.size)
	return copyFrame(d.out, body, f)
}

// end writes the empty last block of the stream.
func (d *deflated) end() error {
	last := []byte{3, 0}
	d.size += int64(len(last))
	_, err := d.out.Write(last)
	return err
}
