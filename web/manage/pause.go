package manage

import (
	"context"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/jobs"
	"github.com/rollcall-dev/rollcall/tasks"
	"github.com/rollcall-dev/rollcall/web/auth"
)

// CheckPause returns tasks.ErrStopped if the caller must not resume the tenant, because the owner has
// paused it. The argument `paused` is nil if the request does not change the pause.
func (s *Service) CheckPause(ctx context.Context, tenant string, paused *bool) error {
	if paused == nil || *paused || auth.Caller(ctx).May(access.ServiceWrite) {
		return nil
	}
	state, err := s.Tasks.TenantState(ctx, tenant)
	if err == nil && state.Stopped {
		err = tasks.ErrStopped
	}
	return err
}

// PauseTenant pauses or resumes a tenant and adds an audit entry, unless nothing changes. After a pause by
// the owner, only the owner can resume the tenant. The owner can also pause a tenant that an operator has
// paused.
func (s *Service) PauseTenant(ctx context.Context, tenant string, paused bool) error {
	if err := s.CheckPause(ctx, tenant, &paused); err != nil {
		return err
	}
	ctx, owner := ctx, auth.Caller(ctx).May(access.ServiceWrite)
	is, err := s.Tasks.TenantState(ctx, tenant)
	if err != nil || is.Paused == paused && (!owner || is.Stopped == paused) {
		return err
	}
	verb := map[bool]string{true: "pause-tenant", false: "resume-tenant"}[paused]
	if _, err := s.NoteOn(ctx, tenant, verb, nil, 1); err != nil {
		return err
	}
	set := s.Tasks.PauseTenant
	if owner {
		set = s.Tasks.StopTenant
	}
	if err := set(ctx, tenant, paused); err != nil {
		return err
	}
	if !paused {
		s.Wake(ctx, jobs.FeedTopic)
	}
	return nil
}
