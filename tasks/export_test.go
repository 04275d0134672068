package tasks

// SearchStatements returns the statements of Search by name.
func SearchStatements() map[string]string {
	old := Search{Oldest: true}
	return map[string]string{
		"all": searchAllSQL, "author": searchAuthorSQL, "label": searchLabelSQL,
		"oldest": old.ordered(searchAllSQL), "oldest by author": old.ordered(searchAuthorSQL), "oldest by label": old.ordered(searchLabelSQL),
		"after": numAfterSQL, "before": numBeforeSQL,
	}
}

// OldestKeptSQL is the statement that finds the oldest task that is not purged.
var OldestKeptSQL = oldestKeptSQL

// ReleaseKeySQL is the statement that removes a deduplication key.
var ReleaseKeySQL = releaseKeySQL

// WaitingSQL is the statement that finds the next task of each tenant and kind.
var WaitingSQL = waitingSQL

// ClaimAbandonedSQL is the statement that takes a task whose program has died.
var ClaimAbandonedSQL = claimAbandonedSQL

// These are the statements of tasks that wait for others.
var (
	TreeSQL       = treeSQL
	LockAfterSQL  = lockAfterSQL
	WaitingForSQL = waitingForSQL
)
