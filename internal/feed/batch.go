package feed

import (
	"errors"
	"iter"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/lanes"
	"github.com/rollcall-dev/rollcall/internal/pending"
	"github.com/rollcall-dev/rollcall/queue"
	"github.com/rollcall-dev/rollcall/tasks"
)

// batch holds the rows of one step of a lane, in the order of the claimed tasks (lanes.Feed).
type batch struct {
	feeds []lanes.Feed
	rows  []pending.Row
	read  []int64 // seq up to which each feed was read; shorter than feeds if the page was full
	held  []bool  // by row: the row is held, and not pushed
	asks  []bool  // by row: it may have been pushed before
	done  int     // number of leading rows that are pushed or held
	limit int     // the most waiting payloads of a key in Redis

	resubmittedKeyLimit int // the same limit for resubmitted rows

	lost map[events.ID]bool // rows of a second feeding that a finished newer row of their key has overtaken

	now     int64            // the time of the ledger
	delayed map[string]int64 // by key: start time of the first delayed row
}

// keys returns the distinct keys of the rows, without the empty key.
func (b *batch) keys() (out []string) {
	seen := map[string]bool{}
	for i := range b.rows {
		if key := b.rows[i].Key; key != "" && !seen[key] {
			seen[key] = true
			out = append(out, key)
		}
	}
	return out
}

// hold marks rows as held: delayed rows that are not due, later rows of their keys, and rows whose key is
// in `keys`. The argument `keys` holds the keys that already have held rows. hold ends the batch before the
// first row that is not held and for which no room is left.
func (b *batch) hold(keys map[string]bool, room int64) {
	for i := range b.rows {
		b.noteDelayed(i, keys)
		switch key := b.rows[i].Key; {
		case key != "" && keys[key]:
			b.held[i] = true
		case room == 0:
			b.done = i
			return
		default:
			room--
		}
	}
}

// jobs returns the jobs of the rows to be pushed, and for each job the index of its row. Rows that may have
// been pushed before are marked as redelivered: the worker reads their state in the ledger before it runs
// them.
func (b *batch) jobs(mark string) (jobs []queue.Job, at []int) {
	feeds, fresh := map[int64]lanes.Feed{}, map[int64]int64{}
	for _, feed := range b.feeds {
		feeds[feed.Num] = feed
	}
	b.asks = make([]bool, len(b.rows))
	jobs, at = make([]queue.Job, 0, b.done), make([]int, 0, b.done)
	for i := range b.rows[:b.done] {
		num := b.rows[i].ID.Num()
		feed, again := feeds[num], b.rows[i].Since >= 0
		if !again {
			fresh[num]++
		}
		b.asks[i] = again || feed.NeedsRepush() || fresh[num] <= feed.Doubted
		if b.held[i] {
			continue
		}
		row := &b.rows[i].Event
		job := withLimit(JobOf(feed, markOf(feed, mark, again || b.lost[row.ID]), row), row, b.limitOf(feed, i))
		job.Redelivered = b.asks[i]
		jobs, at = append(jobs, job), append(at, i)
	}
	return jobs, at
}

// limitOf returns how many rows of the key of row `i` may wait in Redis. A resubmitted row has a higher
// limit, because it may come before all rows of its key in Redis. A row of a second feeding has no limit
// (0), so it stays ahead of the held rows of its key. However, a row of a task that is being canceled
// has the usual limit.
func (b *batch) limitOf(feed lanes.Feed, i int) int {
	switch {
	case b.rows[i].Since >= 0:
		return b.resubmittedKeyLimit
	case feed.NeedsRepush() && feed.Status != tasks.Canceling: // held rows of a canceled task are dropped
		return 0
	}
	return b.limit
}

// markOf returns the mark of a row's job: `mark`, or AskFirst(mark) if `again` or feed.Late is true.
// With AskFirst(mark), the worker reads the row's state before it runs the row.
func markOf(feed lanes.Feed, mark string, again bool) string {
	if again || feed.Late {
		return AskFirst(mark)
	}
	return mark
}

// withLimit returns the job of a row with the given limit of its key, or without a limit if the row
// has no key.
func withLimit(job queue.Job, e *events.Event, limit int) queue.Job {
	if e.Key != "" {
		job.Limit = limit
	}
	return job
}

// take marks a row as held if Redis refused it because its key is full. It ends the batch before
// the first row that Redis refused for another reason, and returns `err` in this case. The result
// `more` reports whether Redis may have later rows of the batch. The argument `at` holds the row
// index of each job. A row without a limit is never held: the batch ends before it, and the next
// step pushes it.
func (b *batch) take(jobs []queue.Job, at []int, err error) (more bool, _ error) {
	full, stop, more := refusals(len(at), err)
	for _, i := range full {
		if jobs[i].Limit == 0 {
			b.done = at[i]
			return true, nil
		}
		b.held[at[i]] = true
	}
	if stop == len(at) {
		return false, nil
	}
	b.done = at[stop]
	return more, err
}

// refusals reads the error of a push of `n` jobs. The result `full` lists the jobs whose key is
// full, up to `stop`. The result `stop` is the index of the first job that Redis refused for
// another reason; `n` if there is none. The result `more` reports whether Redis may have accepted
// jobs from this index on.
func refusals(n int, err error) (full []int, stop int, more bool) {
	if err == nil {
		return nil, n, false
	}
	var refused *queue.PushError
	if !errors.As(err, &refused) {
		return nil, 0, true
	}
	stop, behind := n, 0
	for _, item := range refused.Items {
		switch {
		case stop < n:
			behind++
		case errors.Is(item.Err, queue.ErrKeyFull):
			full = append(full, item.Index)
		default:
			stop, behind = item.Index, 1
		}
	}
	return full, stop, behind < n-stop || errors.Is(err, queue.ErrUnanswered)
}

// pushed returns an iterator over the rows that were pushed.
func (b *batch) pushed() iter.Seq[pending.Row] {
	return func(yield func(pending.Row) bool) {
		for i := range b.rows[:b.done] {
			if !b.held[i] && !yield(b.rows[i]) {
				return
			}
		}
	}
}

// pushedByTask returns the number of pushed rows by task id, for the tasks with such rows.
func (b *batch) pushedByTask() map[string]int {
	of, out := map[int64]int{}, map[string]int{}
	for row := range b.pushed() {
		of[row.ID.Num()]++
	}
	for _, feed := range b.feeds {
		if n := of[feed.Num]; n > 0 {
			out[feed.TaskID] = n
		}
	}
	return out
}
