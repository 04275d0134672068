package web

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

// idempotentKey is where a request keeps its idempotentRequest.
const idempotentKey = "attempt"

// idempotentRequest is one attempt of a request with an Idempotency-Key. Processes may have died in
// earlier attempts. Its methods accept nil, for a request without a key.
type idempotentRequest struct {
	store  *idempotency.Store
	claim  *idempotency.Claim
	print  *fingerprintBody
	hidden bool // the answer shows a secret, and is not kept
}

// idempotentRequestOf returns nil for a request without a key.
func idempotentRequestOf(c *gin.Context) *idempotentRequest {
	a, _ := c.Get(idempotentKey)
	out, _ := a.(*idempotentRequest) // nil without one
	return out
}

// NewID returns the id of a task, the same for each attempt.
func (a *idempotentRequest) NewID() string {
	if a == nil {
		return tasks.NewID()
	}
	return a.claim.Ref
}

// Again reports whether an earlier attempt may have been done, in part or wholly.
func (a *idempotentRequest) Again() bool { return a != nil && a.claim.Print != "" }

// Seal stores what the request is, before it is done and after its body was read. Only this request
// is done under the key from then on.
func (a *idempotentRequest) Seal(ctx context.Context) error {
	if a == nil {
		return nil
	}
	print, ok := a.print.sum()
	if !ok {
		return errors.New("web: the request was not read to its end before it was done")
	}
	return a.store.Seal(ctx, a.claim, print)
}

// also returns what has to be committed with rows; nil for nothing.
func (a *idempotentRequest) also() func(context.Context, ledger.Tx, int64) error {
	if a == nil {
		return nil
	}
	print, _ := a.print.sum() // it was sealed with it
	return func(ctx context.Context, tx ledger.Tx, total int64) error {
		return a.store.Mark(ctx, tx, a.claim, print, strconv.FormatInt(total, 10))
	}
}

// done reports whether rows were committed by an earlier attempt.
func (a *idempotentRequest) done() bool { return a != nil && a.claim.Mark != "" }

// total returns the total that also has stored.
func (a *idempotentRequest) total() (int64, error) { return strconv.ParseInt(a.claim.Mark, 10, 64) }

// hide keeps the answer, which shows a secret, out of the database.
func (a *idempotentRequest) hide() {
	if a != nil {
		a.hidden = true
	}
}

// target returns a short name of what a request asks for.
func target(r *http.Request, path string) string {
	whole := r.URL.Path + "?" + r.URL.Query().Encode()
	return fmt.Sprintf("%s %s %x", r.Method, path, sha256.Sum256([]byte(whole)))
}

// renewing renews the claim of an attempt until stop is called, which waits for it. It cancels the
// request if another process has taken the claim.
func (a *idempotentRequest) renewing(ctx context.Context, end context.CancelCauseFunc) (stop func()) {
	every := a.store.TTL() / 4
	return periodic.Beside(context.WithoutCancel(ctx), every, func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, every)
		defer cancel()
		if err := a.store.Renew(ctx, a.claim); errors.Is(err, idempotency.ErrLost) {
			end(err)
		}
	})
}
