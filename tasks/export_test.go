package tasks

// SearchStatements returns the statements of Search by name.
func SearchStatements() map[string]string {
	old := Search{Oldest: true}
	return map[string]string{
		"all": seekAllSQL, "author": seekAuthorSQL, "label": seekLabelSQL,
		"oldest": old.ordered(seekAllSQL), "oldest by author": old.ordered(seekAuthorSQL), "oldest by label": old.ordered(seekLabelSQL),
		"after": numAfterSQL, "before": numBeforeSQL,
	}
}

// OldestKeptSQL is the statement that finds the oldest task that is not purged.
var OldestKeptSQL = oldestKeptSQL

// GiveUpKeySQL is the statement by which a task gives up its deduplication key.
var GiveUpKeySQL = giveUpKeySQL

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
