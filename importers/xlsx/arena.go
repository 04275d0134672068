package xlsx

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"github.com/rollcall-dev/rollcall/importers/tabular"
)

const (
	groupTexts = 16        // texts that share one entry of the index
	arenaBlock = 256 << 10 // unit of memory
	diskBuffer = 16 << 10  // bytes read from the file at once
	onDisk     = 1 << 63   // mark of an index entry that is an offset in the file
)

// arena is a store of many short texts by number. It needs about two bytes per text beyond the text itself.
// The texts are in groups of groupTexts. The first groups are in memory, and further groups are in an
// unnamed temporary file.
type arena struct {
	memory int64    // bytes that may stay in memory
	dir    string   // folder of the file
	blocks [][]byte // texts in memory
	index  []uint64 // start of each group
	open   []byte   // the group that is being filled
	texts  int

	file *os.File // nil until memory is full
	size int64    // bytes in file
	buf  []byte   // the part of file that was read last
	at   int64    // offset of buf in file
}

// add stores one more text.
func (a *arena) add(text []byte) error {
	a.open = binary.AppendUvarint(a.open, uint64(len(text)))
	a.open = append(a.open, text...)
	a.texts++
	if a.texts%groupTexts > 0 {
		return nil
	}
	defer func() { a.open = a.open[:0] }()
	if int64(len(a.blocks)+1)*arenaBlock > a.memory && len(a.blocks) > 0 && !a.fits() {
		return a.spill()
	}
	if !a.fits() {
		a.blocks = append(a.blocks, make([]byte, 0, max(arenaBlock, len(a.open))))
	}
	last := len(a.blocks) - 1
	a.index = append(a.index, uint64(last)<<32|uint64(len(a.blocks[last])))
	a.blocks[last] = append(a.blocks[last], a.open...)
	return nil
}

// fits reports whether the group a.open fits into the last block in memory. It returns false if the
// arena already writes to a file.
func (a *arena) fits() bool {
	if len(a.blocks) == 0 || a.file != nil {
		return false
	}
	last := a.blocks[len(a.blocks)-1]
	return cap(last)-len(last) >= len(a.open)
}

// spill writes the group a.open to the file.
func (a *arena) spill() (err error) {
	if a.file == nil {
		if a.file, err = tabular.TempFile(a.dir); err != nil {
			return err
		}
	}
	if _, err := a.file.WriteAt(a.open, a.size); err != nil {
		return fmt.Errorf("xlsx: keep shared strings: %w", err)
	}
	a.index = append(a.index, onDisk|uint64(a.size))
	a.size += int64(len(a.open))
	return nil
}

// get returns the text with the number `i`, which is valid until the next call of get or add. The number
// must be below a.texts.
func (a *arena) get(i int) ([]byte, error) {
	group, err := a.group(i / groupTexts)
	if err != nil {
		return nil, err
	}
	for skip := i % groupTexts; ; skip-- {
		n, w := binary.Uvarint(group)
		if w <= 0 || uint64(len(group)-w) < n {
			return nil, errors.New("xlsx: shared strings are inconsistent")
		}
		if skip == 0 {
			return group[w : w+int(n)], nil
		}
		group = group[w+int(n):]
	}
}

func (a *arena) group(g int) ([]byte, error) {
	if g == len(a.index) {
		return a.open, nil
	}
	start := a.index[g]
	if start&onDisk == 0 {
		return a.blocks[start>>32][uint32(start):], nil
	}
	from, to := int64(start&^onDisk), a.size
	if g+1 < len(a.index) {
		to = int64(a.index[g+1] &^ onDisk)
	}
	if from < a.at || to > a.at+int64(len(a.buf)) {
		if err := a.load(from, to); err != nil {
			return nil, err
		}
	}
	return a.buf[from-a.at : to-a.at], nil
}

// load fills a.buf with at least the bytes between two offsets of the file. It reads up to diskBuffer
// bytes if the file has them.
func (a *arena) load(from, to int64) error {
	n := min(max(diskBuffer, to-from), a.size-from)
	if int64(cap(a.buf)) < n {
		a.buf = make([]byte, n)
	}
	a.buf, a.at = a.buf[:n], from
	if _, err := a.file.ReadAt(a.buf, from); err != nil {
		a.buf = a.buf[:0]
		return fmt.Errorf("xlsx: read shared strings: %w", err)
	}
	return nil
}

// close deletes the file. A second call is a no-op.
func (a *arena) close() error {
	if a.file == nil {
		return nil
	}
	err := a.file.Close()
	a.file = nil
	return err
}
