package exporters

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"io"
	"math"

	"github.com/rollcall-dev/rollcall/internal/table"
)

// gzipped is a sink that writes a text file as one gzip member.
type gzipped struct{ *deflated }

func newGzipped(w io.Writer, spec table.Spec, head []byte) (*gzipped, error) {
	d, err := newDeflated(w, spec)
	if err != nil {
		return nil, err
	}
	// This is a gzip header for deflated data. It contains no file name and no time, and names no operating
	// system.
	if _, err := w.Write([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}); err != nil {
		return nil, err
	}
	return &gzipped{d}, d.addText(head)
}

func (g *gzipped) end() error {
	if err := g.deflated.end(); err != nil {
		return err
	}
	tail := binary.LittleEndian.AppendUint32(nil, g.crc)
	_, err := g.out.Write(binary.LittleEndian.AppendUint32(tail, uint32(g.raw))) // modulo 2^32, as gzip requires
	return err
}

// zipped is a sink that writes a text file into a zip container.
type zipped struct {
	*entry
	box *zip.Writer
}

func newZipped(w io.Writer, spec table.Spec, name string, head []byte) (*zipped, error) {
	z := &zipped{box: zip.NewWriter(w)}
	var err error
	if z.entry, err = newEntry(z.box, name, spec); err != nil {
		return nil, err
	}
	return z, z.addText(head)
}

func (z *zipped) end() error { return errors.Join(z.entry.end(), z.box.Close()) }

// entry is a file in a zip container. Its size is written after the data.
type entry struct {
	*deflated
	head *zip.FileHeader
}

func newEntry(box *zip.Writer, name string, spec table.Spec) (*entry, error) {
	const sizeFollows, nameIsUTF8 = 1 << 3, 1 << 11
	head := &zip.FileHeader{Name: name, Method: zip.Deflate, Flags: sizeFollows | nameIsUTF8}
	w, err := box.CreateRaw(head)
	if err != nil {
		return nil, err
	}
	d, err := newDeflated(w, spec)
	return &entry{d, head}, err
}

// end ends the file, and sets its size and checksum in the zip header.
func (e *entry) end() error {
	err := e.deflated.end()
	h := e.head
	h.CRC32, h.CompressedSize64, h.UncompressedSize64 = e.crc, uint64(e.size), uint64(e.raw)
	//lint:ignore SA1019 the list of the container is written from these
	h.CompressedSize = uint32(min(h.CompressedSize64, math.MaxUint32))
	//lint:ignore SA1019 the same
	h.UncompressedSize = uint32(min(h.UncompressedSize64, math.MaxUint32))
	return err
}
