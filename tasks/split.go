package tasks

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
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

// Claim is the exclusive right of a process to work on a task for a limited time.
type Claim int64

// ClaimAbandoned claims a task to which a program was adding rows. The program has lost its claim, for
// example because it crashed or lost its connection. The caller closes the task with a problem. If no
// such task exists, ClaimAbandoned returns a nil task.
func (s *Store) ClaimAbandoned(ctx context.Context, ttl time.Duration) (*Task, Claim, error) {
	return s.claim(ctx, claimAbandonedSQL, ttl, ledger.Args{})
}

// claim runs a statement that claims a task for `ttl`, and returns the task and the claim. After an
// error it releases the claim, because the statement may have been committed.
func (s *Store) claim(ctx context.Context, text string, ttl time.Duration, args ledger.Args) (*Task, Claim, error) {
	now, claim := s.now(), Claim(ledger.NewClaim())
	args["claim"], args["now"], args["until"] = int64(claim), now.UnixMilli(), now.Add(ttl).UnixMilli()
	num, _ := args["num"].(int64)
	t, err := s.claimed(ctx, text, args, &num)
	if err != nil {
		return nil, 0, errors.Join(err, s.ReleaseSplit(ctx, num, claim))
	}
	return t, claim, nil
}

// claimed runs the statement of a claim and reads the claimed task. It returns nil if the statement
// claims no task.
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

// RenewSplit extends a claim to `ttl` from now. A lost claim is not an error here: the next append
// of rows returns ErrClaimLost.
func (s *Store) RenewSplit(ctx context.Context, num int64, claim Claim, ttl time.Duration) error {
	return s.exec(ctx, "renew split", renewSplitSQL, ledger.Args{
		"num": num, "claim": int64(claim), "until": s.now().Add(ttl).UnixMilli(),
	})
}

// ReleaseSplit releases a claim, so that another process can continue at once. The release continues for
// up to a second after ctx ends. A lost claim is not an error.
func (s *Store) ReleaseSplit(ctx context.Context, num int64, claim Claim) error {
	ctx, cancel := ledger.ReleaseContext(ctx)
	defer cancel()
	return s.exec(ctx, "release split", releaseSplitSQL, ledger.Args{"num": num, "claim": int64(claim)})
}

// exec runs one statement in its own transaction.
func (s *Store) exec(ctx context.Context, verb, text string, args ledger.Args) error {
	_, err := s.db.Writer().Exec(ctx, text, args)
	if err != nil {
		return fmt.Errorf("tasks: %s: %w", verb, err)
	}
	return nil
}
