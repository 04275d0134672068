package blobs

import (
	"errors"
	"io"
	"slices"
	"sync"
)

// blockBytes is the number of bytes that object.ReadAt reads from the bucket at once. The cache of an
// object holds at most `blocks` such blocks.
const (
	blockBytes = 1 << 20
	blocks     = 8
)

var errSeek = errors.New("blobs: seek to before the start")

// object is the content of a file in a bucket. Read uses one request for as many calls as possible.
// ReadAt reads and caches whole blocks, because readers of archives read small pieces at random
// positions.
type object struct {
	part func(from, to int64) (io.ReadCloser, error) // opens a range of bytes, both bounds included
	size int64

	at   int64         // position of the next Read
	body io.ReadCloser // response that starts there; nil if none is open
	came bool          // body has returned bytes

	mu   sync.Mutex
	kept []block // the most recently used first
}

type block struct {
	n    int64
	data []byte
}

// Read implements io.Reader. If a connection breaks, Read reconnects, unless the connection has returned no
// bytes.
func (o *object) Read(p []byte) (n int, err error) {
	for o.at < o.size {
		if o.body == nil {
			o.came = false
			if o.body, err = o.part(o.at, o.size-1); err != nil {
				return 0, err
			}
		}
		n, err = o.body.Read(p)
		o.at += int64(n)
		o.came = o.came || n > 0
		if n > 0 || err == nil {
			return n, nil // the next Read returns the error
		}
		if lost := o.hangUp(); !o.came {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return 0, errors.Join(err, lost)
		}
	}
	return 0, io.EOF
}

func (o *object) hangUp() error {
	if o.body == nil {
		return nil
	}
	err := o.body.Close()
	o.body = nil
	return err
}

// Seek implements io.Seeker.
func (o *object) Seek(by int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		by += o.at
	case io.SeekEnd:
		by += o.size
	}
	if by < 0 {
		return 0, errSeek
	}
	if by == o.at {
		return by, nil
	}
	o.at = by
	return by, o.hangUp()
}

// Close implements io.Closer.
func (o *object) Close() error { return o.hangUp() }

// ReadAt implements io.ReaderAt.
func (o *object) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, errSeek
	}
	for n < len(p) {
		at := off + int64(n)
		if at >= o.size {
			return n, io.EOF
		}
		data, err := o.block(at / blockBytes)
		if err != nil {
			return n, err
		}
		n += copy(p[n:], data[at%blockBytes:])
	}
	return n, nil
}

// block returns block `n` of the file, from the cache if possible.
func (o *object) block(n int64) ([]byte, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if i := slices.IndexFunc(o.kept, func(b block) bool { return b.n == n }); i >= 0 {
		b := o.kept[i]
		copy(o.kept[1:], o.kept[:i])
		o.kept[0] = b
		return b.data, nil
	}
	data, err := o.fetch(n)
	if err != nil {
		return nil, err
	}
	o.kept = append([]block{{n, data}}, o.kept[:min(len(o.kept), blocks-1)]...)
	return data, nil
}

func (o *object) fetch(n int64) ([]byte, error) {
	from := n * blockBytes
	data := make([]byte, min(blockBytes, o.size-from))
	r, err := o.part(from, from+int64(len(data))-1)
	if err != nil {
		return nil, err
	}
	_, err = io.ReadFull(r, data)
	return data, errors.Join(err, r.Close())
}
