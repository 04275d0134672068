// Package retention deletes data older than its retention: files, tasks with their rows, and audit
// entries. It also creates the partitions of events for the next days.
//
// A [Cleaner] of any process does the work, one process at a time. After a crash the next run
// completes the rest, including aborted deletions of users. A task is purged only after its files are
// deleted, so no file remains.
package retention
