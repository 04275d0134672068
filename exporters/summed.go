package exporters

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
)

// sumDigits is how many digits of the SHA-256 of a part's file are noted when it is
// stored. They are enough to find damage.
const sumDigits = 16

var errSum = fmt.Errorf("%w: its checksum is wrong", errDamaged)

// summed reads a file and sums up what was read.
type summed struct {
	from io.Reader
	sum  hash.Hash
}

func newSummed(from io.Reader) *summed { return &summed{from, sha256.New()} }

// Read implements io.Reader.
func (s *summed) Read(b []byte) (int, error) {
	n, err := s.from.Read(b)
	_, _ = s.sum.Write(b[:n]) // a hash never fails
	return n, err
}

// check returns errSum if what was read has another checksum; an empty one is unknown.
func (s *summed) check(sum string) error {
	if sum != "" && hex.EncodeToString(s.sum.Sum(nil))[:sumDigits] != sum {
		return errSum
	}
	return nil
}
