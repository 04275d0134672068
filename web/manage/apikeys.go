package manage

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/problem"
)

// RotationGrace is the time for which the old secret of a rotated API key works, unless the request
// sets another time.
const RotationGrace = 24 * time.Hour

// KeyNum returns the number by which lists of API keys are sorted.
func KeyNum(k *access.Key) int64 { return k.Num }

// KeysFor returns a function that lists the API keys of the requested tenant page by page. Without
// a requested tenant, it lists the API keys of the caller's tenant or, for the owner, of all
// tenants.
func (s *Service) KeysFor(ctx context.Context, requested string) (func(ctx context.Context, before int64, limit int) ([]access.Key, error), error) {
	if requested == "" && auth.Caller(ctx).May(access.ServiceRead) {
		return s.Access.All, nil
	}
	tenant, err := s.ListedTenant(ctx, requested)
	return func(ctx context.Context, before int64, limit int) ([]access.Key, error) {
		return s.Access.List(ctx, tenant, before, limit)
	}, err
}

// DraftProblem returns the problem of invalid settings of a new API key. It returns other errors
// unchanged.
func DraftProblem(err error) error {
	if !errors.Is(err, access.ErrDraft) {
		return err
	}
	_, why, _ := strings.Cut(err.Error(), ": ")
	return problem.New(http.StatusUnprocessableEntity, "INVALID_FIELD", "The key was not created: "+why+".")
}

// makers returns the object that revokes API keys and users, and ends the API keys, schedules and
// webhooks that they made.
func (s *Service) makers() operate.Makers {
	return operate.Makers{Access: s.Access, Schedules: s.Schedules, Notify: s.Notify, Log: s.Audit}
}

// RevokeKey revokes an API key or a user. If `withMade` is true, RevokeKey also revokes the API keys that `k`
// made, directly or through another API key. It then also pauses the schedules and disables the webhooks that
// any of them made. If the owner revokes an active API key or user of another tenant, RevokeKey adds an entry
// to the owner's audit log.
func (s *Service) RevokeKey(ctx context.Context, k *access.Key, withMade bool) (e operate.Ended, err error) {
	ctx, actor := ctx, auth.Actor(ctx)
	if k.Tenant != "" && k.Tenant != auth.Tenant(ctx) && k.RevokedAt == 0 {
		act := "revoke-key"
		if (access.Grant{Key: k.ID}).Personal() {
			act = "revoke-person"
		}
		_, err = s.Audit.Begin(ctx, audit.Entry{Subject: audit.Owner(), Actor: actor, Act: act, Target: k.ID, Touched: 1})
	}
	switch {
	case err != nil:
	case withMade:
		e, err = s.makers().Revoke(ctx, actor, k.Tenant, k.ID)
	default:
		err = s.Access.Revoke(ctx, actor, k.Tenant, k.ID)
	}
	return e, err
}
