package manage

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/rollcall-dev/rollcall/internal/operate"
	"github.com/rollcall-dev/rollcall/web/auth"
	"github.com/rollcall-dev/rollcall/web/problem"
)

var (
	errConfirm = problem.New(http.StatusUnprocessableEntity, "CONFIRM_REMOVAL",
		"A removal cannot be undone: send confirm with the name of the tenant.").At("?confirm")
	errUnfinished = problem.New(http.StatusConflict, "TENANT_UNFINISHED",
		"The tenant has unfinished tasks. Wait for them, or cancel them.")
)

// TenantsByCaller returns the object that lists, exports and removes tenants. In its audit entries, the
// caller is the actor.
func (s *Service) TenantsByCaller(ctx context.Context) *operate.Tenants {
	return s.Tenants.By(auth.Actor(ctx))
}

// KnownTenant returns nil if the tenant exists, and problem.ErrNotFound if it does not.
func (s *Service) KnownTenant(ctx context.Context, tenant string) error {
	known, err := s.Tenants.Known(ctx, tenant)
	if err == nil && !known {
		err = problem.ErrNotFound
	}
	return err
}

// unfinishedProblem returns the problem of a removal of a tenant with unfinished tasks. It returns other
// errors unchanged.
func unfinishedProblem(err error) error {
	begun := (*operate.CancelingError)(nil)
	switch {
	case errors.As(err, &begun):
		p := problem.New(http.StatusConflict, "TENANT_CANCELING", fmt.Sprintf(
			"Nothing was removed: %d tasks of the tenant are being canceled. Repeat the removal once they are canceled.", begun.Tasks))
		p.Args = map[string]string{"n": strconv.FormatInt(begun.Tasks, 10)}
		return p
	case errors.Is(err, operate.ErrUnfinished):
		return errUnfinished
	}
	return err
}

// RemoveTenant removes a tenant if the argument `confirmed` is its name. If the tenant has unfinished
// tasks, RemoveTenant removes nothing and returns an error. With `cancel`, it also starts to cancel these
// tasks. RemoveTenant returns the number of tasks whose rows and files were deleted.
func (s *Service) RemoveTenant(ctx context.Context, tenant, confirmed string, cancel bool) (emptied int64, err error) {
	switch err := s.KnownTenant(ctx, tenant); {
	case err != nil:
		return 0, err
	case confirmed != tenant:
		return 0, errConfirm
	}
	emptied, err = s.TenantsByCaller(ctx).Remove(context.WithoutCancel(ctx), tenant, cancel)
	return emptied, unfinishedProblem(err)
}
