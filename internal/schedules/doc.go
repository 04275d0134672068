// Package schedules creates tasks at the times of cron expressions.
//
// [Store] stores the schedules of tenants. A [Runner] finds due runs, and the caller's [Starter]
// creates their tasks.
//
// Each planned time gets at most one task, even if several processes find it due or a clock was set
// back. A run that cannot start is retried later and does not delay other schedules. Missed runs
// follow the schedule's catch-up policy.
//
// The package does not depend on the content of a task: it stores the request as JSON.
package schedules
