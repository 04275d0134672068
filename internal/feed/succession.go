package feed

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// originSize is the length of the origin at the end of a mark, in bytes.
const originSize = 12

// origin returns the part of a mark that identifies the mark that was in Redis before.
func origin(carried string) string {
	sum := sha256.Sum256([]byte(carried))
	return hex.EncodeToString(sum[:])[:originSize]
}

// newMark returns a mark of a new era for a Redis with another mark, or without one.
func newMark(carried string) string {
	next := uuid.NewString()
	return next[:len(next)-originSize] + origin(carried)
}

// sameEra returns the mark next with the era of last; an empty last leaves next unchanged.
func sameEra(last, next string) string { return ledger.Era(last) + next[len(ledger.Era(last)):] }

// otherMark reports whether a Redis that was not restarted has another mark than the ledger. The
// ledger was then set back to a time before that mark. An exception is a successor in the same era:
// the process that made it ended before it set the mark in Redis.
func otherMark(got, self, want string) bool {
	mark, own := strings.CutSuffix(got, "@"+self)
	if !own || want == "" || mark == want {
		return false
	}
	return ledger.Era(want) != ledger.Era(mark) || !strings.HasSuffix(want, origin(got))
}
