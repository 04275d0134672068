// Package schedules creates tasks at the times of cron expressions.
//
// [Store] stores the schedules of tenants. A [Runner] of any process finds due runs, and the
// caller's [Starter] creates their tasks.
//
// Each planned time has one task, however many processes find it due, even after a clock was set
// back. A run that cannot start is retried later and delays no other schedule. Missed runs follow
// the schedule's catch-up policy.
//
// The package does not depend on the content of a task: it stores the request as JSON.
package schedules
