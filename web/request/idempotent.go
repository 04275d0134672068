package request

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/rollcall-dev/rollcall/internal/idempotency"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/periodic"
	"github.com/rollcall-dev/rollcall/tasks"
)

// IdempotentKey is the key of a gin.Context for the Idempotent of its request.
const IdempotentKey = "attempt"

// Idempotent is a request with an Idempotency-Key. It may repeat an earlier request whose process died.
// A nil Idempotent stands for a request without an Idempotency-Key.
type Idempotent struct {
	Store  *idempotency.Store
	Claim  *idempotency.Claim
	Print  *FingerprintBody
	Hidden bool // the answer shows a secret, and is not stored
}

// IdempotentOf returns the Idempotent of a request; nil if the request has no Idempotency-Key.
func IdempotentOf(c *gin.Context) *Idempotent {
	a, _ := c.Get(IdempotentKey)
	out, _ := a.(*Idempotent) // nil without a key
	return out
}

// NewID returns the id for the task of a request. With an Idempotency-Key, a repeated request gets the same
// id. Without one, NewID returns a new id.
func (a *Idempotent) NewID() string {
	if a == nil {
		return tasks.NewID()
	}
	return a.Claim.Ref
}

// Again reports whether an earlier request with this Idempotency-Key may have had effects.
func (a *Idempotent) Again() bool { return a != nil && a.Claim.Print != "" }

// Seal stores the fingerprint of the request. Call it after the handler has read the body, and before
// the first effect. Afterwards, the Idempotency-Key is valid for this request only.
func (a *Idempotent) Seal(ctx context.Context) error {
	if a == nil {
		return nil
	}
	print, ok := a.Print.Sum()
	if !ok {
		return errors.New("web: the request was not read to its end")
	}
	return a.Store.Seal(ctx, a.Claim, print)
}

// Also returns a function that records that this request has added its rows. The caller calls the function
// in the transaction that adds the rows, with the new total of the task. Without an Idempotency-Key, Also
// returns nil.
func (a *Idempotent) Also() func(context.Context, ledger.Tx, int64) error {
	if a == nil {
		return nil
	}
	print, _ := a.Print.Sum() // Seal has stored the same sum
	return func(ctx context.Context, tx ledger.Tx, total int64) error {
		return a.Store.Mark(ctx, tx, a.Claim, print, strconv.FormatInt(total, 10))
	}
}

// Done reports whether an earlier request with this Idempotency-Key has added the rows.
func (a *Idempotent) Done() bool { return a != nil && a.Claim.Mark != "" }

// Total returns the total of the task after an earlier request has added the rows. Call it only if Done
// returns true.
func (a *Idempotent) Total() (int64, error) { return strconv.ParseInt(a.Claim.Mark, 10, 64) }

// Hide excludes the response from storage, because the response contains a secret.
func (a *Idempotent) Hide() {
	if a != nil {
		a.Hidden = true
	}
}

// Target returns a short text that identifies the method and the URL of a request. The argument `path` is
// the pattern of the route, which makes the text readable.
func Target(r *http.Request, path string) string {
	whole := r.URL.Path + "?" + r.URL.Query().Encode()
	return fmt.Sprintf("%s %s %x", r.Method, path, sha256.Sum256([]byte(whole)))
}

// Renewing renews the claim on the Idempotency-Key until the caller calls the function `stop`, which waits
// for the last renewal. If another process has taken the claim, Renewing calls the function `end`, which
// cancels the request.
func (a *Idempotent) Renewing(ctx context.Context, end context.CancelCauseFunc) (stop func()) {
	every := a.Store.TTL() / 4
	return periodic.Beside(context.WithoutCancel(ctx), every, func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, every)
		defer cancel()
		if err := a.Store.Renew(ctx, a.Claim); errors.Is(err, idempotency.ErrLost) {
			end(err)
		}
	})
}
