// Package taskcache holds snapshots of tasks that all polls and streams of a process share.
//
// It promises that each task is read at most once per MaxAge, for any number of callers. The failed
// rows of a task are read only when its version has changed. A caller never gets an older version than
// before. After Invalidate, the next caller gets the changes of this process.
//
// It checks no credentials: the caller has checked them, and passes a check for streams.
package taskcache
