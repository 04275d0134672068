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

// attemptKey is where a request keeps its attempt.
const attemptKey = "attempt"

// attempt is one try of a request with an Idempotency-Key, of which there may
// have been others, whose processes died. Its methods take a nil attempt for a
// request without a key.
type attempt struct {
	store  *idempotency.Store
	claim  *idempotency.Claim
	print  *printer
	hidden bool // the answer shows a secret, and is not kept
}

// attemptOf is the attempt of a request; nil if it has no key.
func attemptOf(c *gin.Context) *attempt {
	a, _ := c.Get(attemptKey)
	out, _ := a.(*attempt) // nil without one
	return out
}

// NewID is the id of a task: the same one, whoever tries the request.
func (a *attempt) NewID() string {
	if a == nil {
		return tasks.NewID()
	}
	return a.claim.Ref
}

// Again tells whether the request may have been done, in part or wholly.
func (a *attempt) Again() bool { return a != nil && a.claim.Print != "" }

// Seal notes what the request is before it is done; its body has been read.
// Only the one request is done under the key from then on.
func (a *attempt) Seal(ctx context.Context) error {
	if a == nil {
		return nil
	}
	print, ok := a.print.sum()
	if !ok {
		return errors.New("web: the request was not read to its end before it was done")
	}
	return a.store.Seal(ctx, a.claim, print)
}

// also is what has to be committed with rows; nil for nothing.
func (a *attempt) also() func(context.Context, ledger.Tx, int64) error {
	if a == nil {
		return nil
	}
	print, _ := a.print.sum() // it was sealed with it
	return func(ctx context.Context, tx ledger.Tx, total int64) error {
		return a.store.Mark(ctx, tx, a.claim, print, strconv.FormatInt(total, 10))
	}
}

// done tells whether rows were committed by an earlier attempt.
func (a *attempt) done() bool { return a != nil && a.claim.Mark != "" }

// total is what also has left.
func (a *attempt) total() (int64, error) { return strconv.ParseInt(a.claim.Mark, 10, 64) }

// hide keeps the answer, which shows a secret, out of the ledger.
func (a *attempt) hide() {
	if a != nil {
		a.hidden = true
	}
}

// target names what a request asks for, in short.
func target(r *http.Request, path string) string {
	whole := r.URL.Path + "?" + r.URL.Query().Encode()
	return fmt.Sprintf("%s %s %x", r.Method, path, sha256.Sum256([]byte(whole)))
}

// renewing prolongs the claim of an attempt until stop is called, which waits
// for it. It ends the request if the claim was taken over.
func (a *attempt) renewing(ctx context.Context, end context.CancelCauseFunc) (stop func()) {
	every := a.store.TTL() / 4
	return periodic.Beside(context.WithoutCancel(ctx), every, func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, every)
		defer cancel()
		if err := a.store.Renew(ctx, a.claim); errors.Is(err, idempotency.ErrLost) {
			end(err)
		}
	})
}
