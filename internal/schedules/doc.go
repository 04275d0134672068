// Package schedules creates tasks at the times of cron expressions.
//
// [Store] stores the schedules of tenants. A [Runner] of any process finds runs that are due
// and has their tasks created by the caller's [Starter].
//
// Each planned time has one task, however many processes find it due, also after a clock was
// set back. A run that cannot start is retried later and delays no other schedule. Runs that
// were missed follow the schedule's catch-up policy.
//
// The package does not know what a task is made of: it stores the request as JSON.
package schedules
