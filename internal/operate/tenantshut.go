package operate

import (
	"context"
	_ "embed"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/audit"
	"github.com/rollcall-dev/rollcall/internal/ledger"
)

var (
	//go:embed sql/remove_answers.sql
	removeAnswersSQL string
	//go:embed sql/remove_keys.sql
	removeKeysSQL string
	//go:embed sql/forget_people.sql
	forgetPeopleSQL string
	//go:embed sql/end_uploads.sql
	endUploadsSQL string
	//go:embed sql/remove_mappings.sql
	removeMappingsSQL string
	//go:embed sql/remove_schedules.sql
	removeSchedulesSQL string
	//go:embed sql/remove_deliveries.sql
	removeDeliveriesSQL string
	//go:embed sql/remove_webhooks.sql
	removeWebhooksSQL string
	//go:embed sql/remove_secret.sql
	removeSecretSQL string
	//go:embed sql/reset_limits.sql
	resetLimitsSQL string
	//go:embed sql/remove_limits.sql
	removeLimitsSQL string
)

// deleteAccess deletes API keys, schedules, webhooks, deliveries, the secret of callbacks, limits,
// mappings and stored responses of a tenant. It ends the tenant's uploads. It keeps the limits that
// the owner of the service has set for the tenant.
func (x *Tenants) deleteAccess(ctx context.Context, tenant string) error {
	if err := x.revoke(ctx, tenant); err != nil {
		return err
	}
	for _, text := range []string{
		removeSchedulesSQL, removeDeliveriesSQL, removeWebhooksSQL, removeSecretSQL, resetLimitsSQL, removeLimitsSQL,
		removeAnswersSQL, endUploadsSQL, removeMappingsSQL,
	} {
		if err := x.drop(ctx, text, ledger.Args{"tenant": tenant}); err != nil {
			return err
		}
	}
	return nil
}

// revoke revokes the API keys of a tenant, so that running processes reject them. It then deletes
// the keys, their audit logs, and users that are not revoked. It replaces the names of revoked users with
// their ids.
func (x *Tenants) revoke(ctx context.Context, tenant string) error {
	if err := x.access.NoteKeyed(ctx); err != nil {
		return err
	}
	for before, more := int64(0), true; more; {
		keys, err := x.access.List(ctx, tenant, before, chunkSize)
		if err != nil {
			return err
		}
		for i := range keys {
			if err := x.revokeKey(ctx, &keys[i]); err != nil {
				return err
			}
			before = keys[i].Num
		}
		more = len(keys) == chunkSize
	}
	for left := int64(1); left > 0; { // keys that are created meanwhile are deleted, too
		var err error
		if left, err = x.once(ctx, removeKeysSQL, ledger.Args{"tenant": tenant}); err != nil {
			return err
		}
	}
	return x.drop(ctx, forgetPeopleSQL, ledger.Args{"tenant": tenant})
}

// revokeKey revokes k, unless k is a user, and deletes the audit log of k.
func (x *Tenants) revokeKey(ctx context.Context, k *access.Key) error {
	if k.Prefix != "" && k.RevokedAt == 0 {
		if err := x.access.Revoke(ctx, x.actor, k.Tenant, k.ID); err != nil {
			return err
		}
	}
	return x.drop(ctx, removeAuditSQL, ledger.Args{"subject": audit.Key(k.ID), "keep": 0})
}

// drop runs a statement that changes at most `chunkSize` records, and repeats it until no record is left.
func (x *Tenants) drop(ctx context.Context, text string, args ledger.Args) error {
	for {
		n, err := x.once(ctx, text, args)
		if err != nil || n < chunkSize {
			return err
		}
	}
}

func (x *Tenants) once(ctx context.Context, text string, args ledger.Args) (int64, error) {
	args["most"] = chunkSize
	return x.db.Writer().Exec(ctx, text, args)
}
