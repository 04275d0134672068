package feed

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

// originSize is the length of the function origin's result, in bytes. A generation mark begins with its
// era, and ends with its origin.
const originSize = 12

// origin returns the end of a new mark: a hash of the argument `carried`, the old mark in Redis.
func origin(carried string) string {
	sum := sha256.Sum256([]byte(carried))
	return hex.EncodeToString(sum[:])[:originSize]
}

// newMark returns a mark of a new era. The argument `carried` is the current mark of Redis, or "" if
// Redis has none. The origin of the new mark identifies `carried`.
func newMark(carried string) string {
	next := uuid.NewString()
	return next[:len(next)-originSize] + origin(carried)
}

// sameEra returns the mark `next` with the era of the mark `last`, or unchanged if `last` is empty. The
// era is the beginning of a mark.
func sameEra(last, next string) string { return ledger.Era(last) + next[len(ledger.Era(last)):] }

// otherMark reports whether the ledger was restored to a time before it had the mark of Redis (`got`).
// It returns false if Redis was restarted, because `got` then lacks the suffix of this Redis process
// (`self`). It also returns false if the mark of the ledger (`want`) is the next mark after `got` in the
// same era. A process has then changed the ledger, and ended before it changed Redis.
func otherMark(got, self, want string) bool {
	mark, own := strings.CutSuffix(got, "@"+self)
	if !own || want == "" || mark == want {
		return false
	}
	return ledger.Era(want) != ledger.Era(mark) || !strings.HasSuffix(want, origin(got))
}
