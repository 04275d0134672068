package idempotency

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"fmt"
	"io"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/renew.sql
	renewSQL string
	//go:embed sql/seal.sql
	sealSQL string
	//go:embed sql/keep.sql
	keepSQL string
	//go:embed sql/drop.sql
	dropSQL string
	//go:embed sql/release.sql
	releaseSQL string
)

// Renew makes a claim last for Options.TTL from now. It returns ErrLost if another process has taken the
// claim over.
func (s *Store) Renew(ctx context.Context, c *Claim) error {
	return s.change(ctx, c, "renew", renewSQL, ledger.Args{
		"until": s.opt.Now().Add(s.opt.TTL).UnixMilli(),
	})
}

// Seal stores the fingerprint of a request before its effect. It returns ErrReused if an earlier
// request with the idempotency key had another fingerprint. It returns ErrLost if the claim was
// taken over, or if the idempotency key has got another fingerprint since the claim.
func (s *Store) Seal(ctx context.Context, c *Claim, print string) error {
	if c.Print != "" && c.Print != print {
		return fmt.Errorf("idempotency: seal: %w", ErrReused)
	}
	return s.change(ctx, c, "seal", sealSQL, ledger.Args{"print": print, "mark": c.Mark})
}

// Mark stores the fingerprint of a request, and a text about its effect, in the transaction of this
// effect. It returns ErrLost if the claim was taken over, or if the idempotency key has got another
// fingerprint since the claim. After an error, the caller must roll the transaction back.
func (s *Store) Mark(ctx context.Context, tx ledger.Tx, c *Claim, print, mark string) error {
	args := c.req.args(c.owner)
	args["print"], args["mark"] = print, mark
	n, err := tx.Exec(ctx, sealSQL, args)
	if err == nil && n == 0 {
		err = ErrLost
	}
	if err != nil {
		return fmt.Errorf("idempotency: mark: %w", err)
	}
	return nil
}

// Keep stores the response and ends the claim. It returns ErrLost if the claim was taken over.
func (s *Store) Keep(ctx context.Context, c *Claim, a Answer) error {
	return s.change(ctx, c, "keep", keepSQL, ledger.Args{
		"print": a.Print, "status": a.Status, "head": a.Head, "body": pack(a.Body),
	})
}

// Release ends a claim without a response, so the next request with the idempotency key gets a claim at
// once. The new claim has the stored fingerprint and the text of Mark. Releasing a lost claim is a
// no-op.
func (s *Store) Release(ctx context.Context, c *Claim) error {
	err := s.db.InTx(ctx, func(tx ledger.Tx) error {
		for _, text := range []string{dropSQL, releaseSQL} {
			if _, err := tx.Exec(ctx, text, c.req.args(c.owner)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("idempotency: release: %w", err)
	}
	return nil
}

// change runs a statement that requires ownership of the claim. It returns ErrLost if the claim was
// taken over.
func (s *Store) change(ctx context.Context, c *Claim, verb, text string, more ledger.Args) error {
	args := c.req.args(c.owner)
	for name, value := range more {
		args[name] = value
	}
	n, err := s.db.Writer().Exec(ctx, text, args)
	if err == nil && n == 0 {
		err = ErrLost
	}
	if err != nil {
		return fmt.Errorf("idempotency: %s: %w", verb, err)
	}
	return nil
}

func pack(body []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(body) // writes to memory do not fail
	_ = z.Close()
	return out.Bytes()
}

func unpack(packed []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("idempotency: unpack: %w", err)
	}
	return io.ReadAll(z)
}
