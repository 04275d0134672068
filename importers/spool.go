package importers

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
)

// scratch makes a temporary file that has no name from the start, so that a
// killed process leaves nothing behind.
func scratch(folder string) (*os.File, error) {
	f, err := os.CreateTemp(folder, "rollcall-*")
	if err != nil {
		return nil, fmt.Errorf("importers: temporary file: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(fmt.Errorf("importers: temporary file: %w", err), f.Close())
	}
	return f, nil
}

// spool unpacks to a temporary file.
func spool(r io.Reader, l Limits) (*os.File, error) {
	f, err := scratch(l.Dir)
	if err != nil {
		return nil, err
	}
	if _, err := io.CopyBuffer(struct{ io.Writer }{f}, r, make([]byte, 256<<10)); err != nil {
		return nil, either(err, f.Close())
	}
	return f, nil
}

// gunzip unpacks a gzip file, within Limits, up to its proved end.
func gunzip(up *upload, l Limits) (*os.File, error) {
	src := &counted{in: io.NewSectionReader(up, 0, up.size)}
	in, err := gzip.NewReader(bufio.NewReaderSize(src, 32<<10))
	if err != nil {
		return nil, up.blame(brokenGzip(0))
	}
	return spool(&gunzipper{up: up, src: src, in: in, limit: l}, l)
}

// gunzipper bounds what a gzip file unpacks to.
type gunzipper struct {
	up    *upload
	src   *counted
	in    io.Reader
	limit Limits
	n     int64
}

func (g *gunzipper) Read(b []byte) (int, error) {
	n, err := g.in.Read(b)
	g.n += int64(n)
	switch {
	case g.n > g.limit.Unzipped || g.n > freeBytes && g.n > g.src.n*int64(g.limit.Ratio):
		return 0, bomb("gzip file", g.limit)
	case err != nil && err != io.EOF:
		return n, g.up.blame(brokenGzip(g.n))
	}
	return n, err
}

func brokenGzip(n int64) *Problem {
	return problemf(CodeDamagedFile, "The gzip file is damaged or was not uploaded completely: "+
		"it cannot be unpacked after byte %d. Pack it again and upload the new copy.", n)
}
