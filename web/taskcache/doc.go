// Package taskcache holds snapshots of tasks that all polls and streams of a process share.
//
// It promises that each task is read at most once per MaxAge, however many callers ask; that
// its failed rows are read only when its version has changed; that a caller never gets an
// older version than before; and that a change made through this process is seen by the next
// caller at once (Invalidate).
//
// It checks no credentials: the caller has checked them, and passes a check for streams.
package taskcache
