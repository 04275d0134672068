package retention

import (
	"context"
	"errors"
	"time"
)

// steps returns the steps of the cleaner, in order. expireMappings runs before purge, because it
// confirms the mappings of successful tasks only while these tasks exist.
func (c *Cleaner) steps() []func(context.Context) error {
	return []func(context.Context) error{
		c.prepare, c.erase, c.expireMappings, c.expire, c.purge, c.sweep, c.discard, c.forget, c.expireAudit, c.expireUploads,
	}
}

// maxLeft bounds the files that expire leaves after errors. With more errors, the store is probably away.
const maxLeft = 10

// expire deletes files older than their retention. After an error it continues with the next file, unless
// maxLeft files could not be deleted.
func (c *Cleaner) expire(ctx context.Context) error {
	n, left := int64(0), []error(nil)
	for {
		list, err := c.tasks.ExpiredFiles(ctx, c.opt.Files, chunk, len(left))
		if err != nil {
			return errors.Join(append(left, err)...)
		}
		for _, f := range list {
			if err := c.deleteFile(ctx, f); err == nil {
				n++
			} else if left = append(left, err); len(left) == maxLeft || ctx.Err() != nil {
				return errors.Join(left...)
			}
		}
		if len(list) < chunk {
			c.report("deleted old files", "files", n)
			return errors.Join(left...)
		}
	}
}

func (c *Cleaner) purge(ctx context.Context) error {
	total := int64(0)
	for {
		n, err := c.tasks.Purge(ctx, chunk)
		if total += n; err != nil || n == 0 {
			c.report("purged tasks", "tasks", total)
			return err
		}
	}
}

// sweep deletes the remaining records of purged tasks, and of tasks whose deletion was aborted.
// After an error it continues with the next task.
func (c *Cleaner) sweep(ctx context.Context) error {
	var faults []error
	for after := int64(0); ctx.Err() == nil; {
		list, err := c.tasks.Sweeping(ctx, after, chunk)
		if err != nil {
			return errors.Join(append(faults, err)...)
		}
		for _, r := range list {
			after = r.Num
			if err := c.tasks.Sweep(ctx, r, c.events.Erase); err != nil {
				faults = append(faults, err)
			}
		}
		if len(list) < chunk {
			break
		}
	}
	return errors.Join(faults...)
}

func (c *Cleaner) discard(ctx context.Context) error {
	n, err := c.events.Partitions().Drop(ctx)
	c.report("discarded events of purged tasks", "partitions_or_rows", n)
	return err
}

// forget deletes the records of processes that no stored row refers to.
func (c *Cleaner) forget(ctx context.Context) error {
	n, err := c.events.ForgetRunners(ctx)
	c.report("forgot processes", "processes", n)
	return err
}

func (c *Cleaner) report(what, unit string, n int64) {
	if n > 0 {
		c.opt.Log.Info(what, unit, n)
	}
}

func (c *Cleaner) expireAudit(ctx context.Context) error {
	total := int64(0)
	for c.opt.Audit != nil {
		n, err := c.opt.Audit.Expire(ctx, c.opt.AuditKeep, chunk)
		if total += n; err != nil || n < chunk {
			c.report("deleted old entries of the audit log", "entries", total)
			return err
		}
	}
	return nil
}

// mappingsKeep is how long a mapping without a name is kept after its last use.
const mappingsKeep = 365 * 24 * time.Hour

func (c *Cleaner) expireUploads(ctx context.Context) error {
	total := 0
	for c.opt.Uploads != nil {
		n, err := c.opt.Uploads.Expire(ctx, chunk)
		if total += n; err != nil || n < chunk {
			c.report("deleted uploads without a task", "uploads", int64(total))
			return err
		}
	}
	return nil
}

// expireMappings deletes mappings without a name that were not used for mappingsKeep. It also deletes
// mappings that were not used for 30 days, if their task has ended without success or does not exist.
func (c *Cleaner) expireMappings(ctx context.Context) error {
	if c.opt.Mappings == nil {
		return nil
	}
	n, err := c.opt.Mappings.Expire(ctx, mappingsKeep)
	c.report("deleted mappings", "mappings", n)
	return err
}
