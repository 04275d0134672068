package events

import (
	"hash/fnv"
)

// Lane is what shares ordering keys: the jobs of one kind of one tenant. Rows of
// one lane with equal keys run in the order of their ids.
type Lane struct{ Tenant, Kind string }

// Hash returns the 64-bit FNV-1a hash of the lane and a key: the column
// key_hash, by which rows of equal key are found over all tasks. It is never 0
// for a key. It is 0 without one, for such a row is a key of its own, and for the
// zero Lane, whose rows nobody has to find. Code that finds rows by a hash must
// compare their keys, too. A row whose contents were deleted has no key; its hash is
// enough: see EraseRow.
func (l Lane) Hash(key string) int64 {
	if key == "" || l == (Lane{}) {
		return 0
	}
	h := fnv.New64a()
	for _, part := range [...]string{l.Tenant, "\x00", l.Kind, "\x00", key} {
		_, _ = h.Write([]byte(part)) // never fails
	}
	if sum := int64(h.Sum64()); sum != 0 {
		return sum
	}
	return 1
}
