// Package retention removes what is older than its retention: files, tasks with their rows, and
// audit entries. It also creates the partitions of events for the next days.
//
// A [Cleaner] of any process does the work; one at a time. After a crash the next run finishes
// what was left, including deletions of users that broke off. A task is purged only after its
// files are deleted, so no file is left behind.
package retention
