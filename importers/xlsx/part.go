package xlsx

import (
	"archive/zip"
	"bufio"
	"bytes"
	"fmt"
	"hash"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// part is a reader that unpacks one entry of a container. It returns io.EOF only if the unpacked bytes have
// the length and the checksum in the container's directory. For a damaged entry it returns a
// *tabular.Problem.
type part struct {
	box  *Container
	file *zip.File
	src  *tabular.Counter
	in   io.Reader
	sum  hash.Hash32
	n    int64
}

// damaged returns the problem of a broken entry.
func (c *Container) damaged(name, format string, args ...any) *tabular.Problem {
	if c.IsWorkbook {
		return tabular.Damaged(name, format, args...)
	}
	return tabular.Problemf(tabular.CodeDamagedFile, "The zip archive is damaged: %s in its file %q. "+
		"Pack it again and upload the new copy.", fmt.Sprintf(format, args...), name)
}

func newPart(c *Container, f *zip.File) (*part, error) {
	raw, err := f.OpenRaw()
	if err != nil {
		return nil, c.up.IOErr(c.damaged(f.Name, "the entry has no beginning"))
	}
	p := &part{box: c, file: f, src: &tabular.Counter{In: raw}, sum: crc32.NewIEEE()}
	switch f.Method {
	case zip.Store:
		p.in = p.src
	case zip.Deflate:
		p.in = flate.NewReader(bufio.NewReaderSize(p.src, 32<<10))
	default:
		return nil, c.damaged(f.Name, "there is an unknown packing method %d", f.Method)
	}
	return p, nil
}

// Read reads unpacked bytes. It returns a *tabular.Problem if the part is damaged or exceeds the limits.
func (p *part) Read(b []byte) (int, error) {
	n, err := p.in.Read(b)
	p.n += int64(n)
	p.box.left -= int64(n)
	_, _ = p.sum.Write(b[:n]) // a hash returns no error
	if p.box.left < 0 || p.n > tabular.FreeBytes && p.n > p.src.N*int64(p.box.limit.Ratio) {
		return 0, p.box.bomb()
	}
	switch err {
	case nil:
		return n, nil
	case io.EOF:
		return n, p.proved()
	}
	return n, p.box.up.IOErr(p.box.damaged(p.file.Name, "the packed data is broken after byte %d", p.n))
}

// proved returns io.EOF if length and checksum of the part are correct, else a *tabular.Problem.
func (p *part) proved() error {
	switch {
	case uint64(p.n) != p.file.UncompressedSize64:
		return p.box.damaged(p.file.Name, "there are %d bytes instead of %d", p.n, p.file.UncompressedSize64)
	case p.sum.Sum32() != p.file.CRC32:
		return p.box.damaged(p.file.Name, "the checksum is wrong")
	}
	return io.EOF
}

// peeker is a reader of the first bytes of zip entries. It reuses one decompressor for all entries.
type peeker struct {
	src *bufio.Reader
	in  io.ReadCloser
	buf []byte
}

func newPeeker() *peeker {
	src := bufio.NewReaderSize(bytes.NewReader(nil), 2<<10)
	return &peeker{src: src, in: flate.NewReader(src), buf: make([]byte, 1<<10)}
}

// read returns the first KiB of an entry, or less if the entry is shorter or damaged. The damage is
// reported later, when the whole entry is read.
func (k *peeker) read(f *zip.File) []byte {
	raw, err := f.OpenRaw()
	if err != nil {
		return nil
	}
	in := raw
	if f.Method == zip.Deflate {
		k.src.Reset(raw)
		if err := k.in.(flate.Resetter).Reset(k.src, nil); err != nil {
			return nil
		}
		in = k.in
	}
	n, err := io.ReadFull(in, k.buf)
	if err != nil {
		return k.buf[:n]
	}
	return k.buf
}
