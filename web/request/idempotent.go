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

// IdempotentKey is the key under which a request stores its Idempotent.
const IdempotentKey = "attempt"

// Idempotent is one attempt of a request with an Idempotency-Key. Processes may have died in
// earlier attempts. Its methods accept nil, for a request without a key.
type Idempotent struct {
	Store  *idempotency.Store
	Claim  *idempotency.Claim
	Print  *FingerprintBody
	Hidden bool // the answer shows a secret, and is not stored
}

// IdempotentOf returns nil for a request without a key.
func IdempotentOf(c *gin.Context) *Idempotent {
	a, _ := c.Get(IdempotentKey)
	out, _ := a.(*Idempotent) // nil without a key
	return out
}

// NewID returns the id of a task, the same for each attempt.
func (a *Idempotent) NewID() string {
	if a == nil {
		return tasks.NewID()
	}
	return a.Claim.Ref
}

// Again reports whether an earlier attempt may have had effects.
func (a *Idempotent) Again() bool { return a != nil && a.Claim.Print != "" }

// Seal stores the fingerprint of the request, after its body was read and before its execution. From
// then on, only this request is executed under the key.
func (a *Idempotent) Seal(ctx context.Context) error {
	if a == nil {
		return nil
	}
	print, ok := a.Print.Sum()
	if !ok {
		return errors.New("web: the request was not read to its end before it was done")
	}
	return a.Store.Seal(ctx, a.Claim, print)
}

// Also returns the function that must be committed together with rows, or nil.
func (a *Idempotent) Also() func(context.Context, ledger.Tx, int64) error {
	if a == nil {
		return nil
	}
	print, _ := a.Print.Sum() // Seal has stored the same sum
	return func(ctx context.Context, tx ledger.Tx, total int64) error {
		return a.Store.Mark(ctx, tx, a.Claim, print, strconv.FormatInt(total, 10))
	}
}

// Done reports whether rows were committed by an earlier attempt.
func (a *Idempotent) Done() bool { return a != nil && a.Claim.Mark != "" }

// Total returns the total that the function of Also has stored.
func (a *Idempotent) Total() (int64, error) { return strconv.ParseInt(a.Claim.Mark, 10, 64) }

// Hide keeps the answer, which shows a secret, out of the database.
func (a *Idempotent) Hide() {
	if a != nil {
		a.Hidden = true
	}
}

// Target returns a short name of a request's method and path.
func Target(r *http.Request, path string) string {
	whole := r.URL.Path + "?" + r.URL.Query().Encode()
	return fmt.Sprintf("%s %s %x", r.Method, path, sha256.Sum256([]byte(whole)))
}

// Renewing renews the claim of an attempt until stop is called, which waits for it. It cancels the
// request if another process has taken the claim.
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
