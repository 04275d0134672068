package idempotency

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/forget.sql
	forgetSQL string
	//go:embed sql/claim.sql
	claimSQL string
	//go:embed sql/read.sql
	readSQL string
	//go:embed sql/sweep.sql
	sweepSQL string
)

// These are the errors that callers may test for with errors.Is.
var (
	// ErrInFlight means that another request with the idempotency key is running. The client may retry
	// in a second.
	ErrInFlight = errors.New("the first request with this key is under way")

	// ErrReused means that the idempotency key belongs to another request. The client must use a new
	// idempotency key.
	ErrReused = errors.New("the key belongs to another request")

	// ErrLost means that the claim is no longer valid, for example because another process has taken it
	// over. The caller must undo its work.
	ErrLost = errors.New("the claim was lost")
)

// Options holds the settings of a Store. The zero value works.
type Options struct {
	// TTL is how long a claim lasts without a renewal. The caller must call Renew within this time.
	// Default 20s.
	TTL time.Duration

	// Keep is how long an idempotency key is stored, from its first request on. Default 24h.
	Keep time.Duration

	// Now returns the current time. Default time.Now.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	o.TTL = cmp.Or(o.TTL, 20*time.Second)
	o.Keep = cmp.Or(o.Keep, 24*time.Hour)
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Store is the store of idempotency keys in the ledger. Make it with New.
type Store struct {
	db  *ledger.DB
	opt Options
}

// New returns a store on `db`. The caller keeps and closes `db`.
func New(db *ledger.DB, opt Options) *Store { return &Store{db: db, opt: opt.withDefaults()} }

// TTL returns how long a claim lasts without a renewal.
func (s *Store) TTL() time.Duration { return s.opt.TTL }

// Request is a request that may be repeated.
type Request struct {
	Tenant string // its tenant; each tenant has its own keys
	Key    string // idempotency key of its sender
	Target string // its operation, such as method and path
	Task   string // id of the task that it concerns; empty before the task exists
}

// Answer is the response to a request.
type Answer struct {
	Print  string // fingerprint of its request
	Status int    // above 0
	Head   string // headers, as a text in the form of the caller
	Body   []byte
}

// Claim is the right to run a request.
type Claim struct {
	// Ref names the result of the request: a UUIDv7, the same for each request with the idempotency key.
	Ref string

	// Print is the fingerprint that an earlier request with the idempotency key has stored; empty if none
	// did.
	Print string

	// Mark is the text that an earlier request with the idempotency key has stored with Store.Mark, in the
	// transaction of its effect; empty if none did.
	Mark string

	req   Request
	owner int64
}

// Claim claims the idempotency key of a request. It returns either a claim, which the caller ends with
// Store.Keep or Store.Release, or the stored response. It returns ErrInFlight while another request has
// the claim, and ErrReused if the idempotency key was used for another target.
func (s *Store) Claim(ctx context.Context, req Request) (c *Claim, a *Answer, err error) {
	ref, err := uuid.NewV7()
	if err != nil {
		return nil, nil, fmt.Errorf("idempotency: claim: %w", err)
	}
	owner, now := ledger.NewClaim(), s.opt.Now()
	args := req.args(owner)
	args["target"], args["ref"], args["now"] = req.Target, ref.String(), now.UnixMilli()
	args["task"] = req.Task
	args["until"], args["expires"] = now.Add(s.opt.TTL).UnixMilli(), now.Add(s.opt.Keep).UnixMilli()
	err = s.db.InTx(ctx, func(tx ledger.Tx) error {
		for _, text := range []string{forgetSQL, claimSQL} {
			if _, err := tx.Exec(ctx, text, args); err != nil {
				return err
			}
		}
		c, a, err = claimResult(ctx, tx, req, owner)
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("idempotency: claim: %w", err)
	}
	return c, a, nil
}

// claimResult reads an idempotency key after a try to claim it. The argument `mine` is the number of the
// claim that was tried.
func claimResult(ctx context.Context, tx ledger.Tx, req Request, mine int64) (*Claim, *Answer, error) {
	c, a := Claim{req: req}, Answer{}
	var target string
	var packed []byte
	_, err := ledger.Row(ctx, tx, readSQL, req.args(mine),
		&target, &c.Ref, &c.owner, &c.Print, &c.Mark, &a.Status, &a.Head, &packed)
	switch {
	case err != nil:
		return nil, nil, err
	case target != req.Target:
		return nil, nil, ErrReused
	case a.Status > 0:
		a.Print = c.Print
		a.Body, err = unpack(packed)
		return nil, &a, err
	case c.owner != mine:
		return nil, nil, ErrInFlight
	}
	return &c, nil, nil
}

// args returns the arguments that the statements about one claim share.
func (r Request) args(owner int64) ledger.Args {
	return ledger.Args{"tenant": r.Tenant, "key": r.Key, "owner": owner}
}

// Sweep deletes up to `limit` expired idempotency keys, and returns their number.
func (s *Store) Sweep(ctx context.Context, limit int) (swept int64, err error) {
	swept, err = s.db.Writer().Exec(ctx, sweepSQL, ledger.Args{"now": s.opt.Now().UnixMilli(), "most": limit})
	if err != nil {
		return 0, fmt.Errorf("idempotency: sweep: %w", err)
	}
	return swept, nil
}
