package tasks

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/claim_abandoned.sql
	claimAbandonedSQL string
	//go:embed sql/release_split.sql
	releaseSplitSQL string
	//go:embed sql/renew_split.sql
	renewSplitSQL string
)

// Claim is the exclusive right to work on a task for a time.
type Claim int64

// ClaimAbandoned claims a task that a program added rows to under a claim and did not close in time.
// The program has died or lost its connection. The caller closes the task with a problem.
// ClaimAbandoned returns nil if there is no such task.
func (s *Store) ClaimAbandoned(ctx context.Context, ttl time.Duration) (*Task, Claim, error) {
	return s.claim(ctx, claimAbandonedSQL, ttl, ledger.Args{})
}

// NewClaim returns a claim that no other process has.
func NewClaim() Claim { return Claim(rand.Int64N(1<<62) + 1) }

// claim runs a statement that takes a task for ttl and returns its number. After an error it
// releases the claim if the number of the task is known: ctx may have ended after the commit.
func (s *Store) claim(ctx context.Context, text string, ttl time.Duration, args ledger.Args) (*Task, Claim, error) {
	now, claim := s.now(), NewClaim()
	args["claim"], args["now"], args["until"] = int64(claim), now.UnixMilli(), now.Add(ttl).UnixMilli()
	num, _ := args["num"].(int64)
	t, err := s.claimed(ctx, text, args, &num)
	if err != nil {
		return nil, 0, errors.Join(err, s.ReleaseSplit(ctx, num, claim))
	}
	return t, claim, nil
}

// claimed runs the statement of a claim and reads its task. It returns nil if there is none.
func (s *Store) claimed(ctx context.Context, text string, args ledger.Args, num *int64) (*Task, error) {
	found, err := ledger.Row(ctx, s.db.Writer(), text, args, num)
	if err != nil {
		return nil, fmt.Errorf("tasks: claim: %w", err)
	}
	if !found {
		return nil, nil
	}
	var t Task
	if err := s.db.Write.WithContext(ctx).Take(&t, *num).Error; err != nil {
		return nil, fmt.Errorf("tasks: claim %d: %w", *num, err)
	}
	return &t, nil
}

// RenewSplit keeps a claim for another ttl. A lost claim is not an error here: the next append returns
// it.
func (s *Store) RenewSplit(ctx context.Context, num int64, claim Claim, ttl time.Duration) error {
	return s.exec(ctx, "renew split", renewSplitSQL, ledger.Args{
		"num": num, "claim": int64(claim), "until": s.now().Add(ttl).UnixMilli(),
	})
}

// ReleaseSplit releases a claim, so that another process may continue at once. If ctx ends, the
// release goes on for up to a second. A lost claim is not an error.
func (s *Store) ReleaseSplit(ctx context.Context, num int64, claim Claim) error {
	ctx, cancel := ledger.Outlive(ctx)
	defer cancel()
	return s.exec(ctx, "release split", releaseSplitSQL, ledger.Args{"num": num, "claim": int64(claim)})
}

// exec runs one statement in a transaction of its own.
func (s *Store) exec(ctx context.Context, verb, text string, args ledger.Args) error {
	_, err := s.db.Writer().Exec(ctx, text, args)
	if err != nil {
		return fmt.Errorf("tasks: %s: %w", verb, err)
	}
	return nil
}
