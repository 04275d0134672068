package source

import (
	"bufio"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

// spool copies unpacked bytes to a temporary file.
func spool(r io.Reader, l tabular.Limits) (*os.File, error) {
	f, err := tabular.TempFile(l.Dir)
	if err != nil {
		return nil, err
	}
	if _, err := io.CopyBuffer(struct{ io.Writer }{f}, r, make([]byte, 256<<10)); err != nil {
		return nil, tabular.FirstErr(err, f.Close())
	}
	return f, nil
}

// gunzip unpacks a gzip file within Limits. It fails if the file is incomplete.
func gunzip(up *tabular.Upload, l tabular.Limits) (*os.File, error) {
	src := &tabular.Counter{In: io.NewSectionReader(up, 0, up.Size)}
	in, err := gzip.NewReader(bufio.NewReaderSize(src, 32<<10))
	if err != nil {
		return nil, up.IOErr(brokenGzip(0))
	}
	return spool(&gunzipper{up: up, src: src, in: in, limit: l}, l)
}

// gunzipper is a reader that bounds the unpacked size of a gzip file.
type gunzipper struct {
	up    *tabular.Upload
	src   *tabular.Counter
	in    io.Reader
	limit tabular.Limits
	n     int64
}

func (g *gunzipper) Read(b []byte) (int, error) {
	n, err := g.in.Read(b)
	g.n += int64(n)
	switch {
	case g.n > g.limit.Unzipped || g.n > tabular.FreeBytes && g.n > g.src.N*int64(g.limit.Ratio):
		return 0, tabular.Bomb("gzip file", g.limit)
	case err != nil && err != io.EOF:
		return n, g.up.IOErr(brokenGzip(g.n))
	}
	return n, err
}

func brokenGzip(n int64) *tabular.Problem {
	return tabular.Problemf(tabular.CodeDamagedFile, "The gzip file is damaged or was not uploaded completely: "+
		"it cannot be unpacked after byte %d. Pack it again and upload the new copy.", n)
}
