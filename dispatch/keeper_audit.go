package dispatch

import "context"

// expireAudit deletes old entries of the audit log.
func (k *Keeper) expireAudit(ctx context.Context) error {
	total := int64(0)
	for k.opt.Audit != nil {
		n, err := k.opt.Audit.Expire(ctx, k.opt.AuditKeep, keepChunk)
		if total += n; err != nil || n < keepChunk {
			k.tell("deleted old entries of the audit log", "entries", total)
			return err
		}
	}
	return nil
}
