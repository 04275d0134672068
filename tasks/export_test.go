package tasks

// SearchStatements are those of Search, by name.
func SearchStatements() map[string]string {
	return map[string]string{
		"all": seekAllSQL, "author": seekAuthorSQL, "label": seekLabelSQL,
		"after": numAfterSQL, "before": numBeforeSQL,
	}
}

// GiveUpKeySQL is the statement by which a task gives up its deduplication key.
var GiveUpKeySQL = giveUpKeySQL

// WaitingSQL is the statement that finds the next task of each tenant and kind.
var WaitingSQL = waitingSQL

// ClaimAbandonedSQL is the statement that takes a task whose program has died.
var ClaimAbandonedSQL = claimAbandonedSQL

// The statements of tasks that wait for others.
var (
	TreeSQL       = treeSQL
	LockAfterSQL  = lockAfterSQL
	WaitingForSQL = waitingForSQL
)
