// Package retention deletes data older than its retention: files, tasks with their rows, audit
// entries, uploads and mappings. It also creates partitions for the events of the next tasks.
//
// A [Cleaner] does the work, in one process at a time. After a crash, the next run completes the rest,
// including deletions that users started. A task is purged only after its files are deleted, so no file
// remains.
package retention
