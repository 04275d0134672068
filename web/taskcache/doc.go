// Package taskcache holds snapshots of tasks that all polls and streams of a process share.
//
// The package reads each task at most once per Cache.MaxAge, except after Cache.Invalidate. While polls
// continue, it reads the failed rows of a task only when the version of the task has changed. No caller
// receives an older version than it received before. After Cache.Invalidate, the next caller receives
// the changes of this process.
//
// The package checks no credentials. The caller checks the credential before a call. For a stream, the caller
// passes a function that checks the credential again.
package taskcache
