// Package taskcache holds snapshots of tasks that all polls and streams of a process share.
//
// It promises that each task is read at most once per MaxAge, for any number of callers. The failed
// rows of a task are read only when its version has changed. No caller receives an older version than
// it received before. After Invalidate, the next caller receives the changes of this process.
//
// It checks no credentials: a caller checks the credential before a call. For a stream, the caller
// passes a function that checks the credential again.
package taskcache
