package tasks

import "strings"

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

// Looks returns the statements that feeders, cancelers, sweepers and polls repeat, by name.
func Looks() map[string]string {
	of := func(which string) string { return strings.Replace(feedsSQL, "\n{which}", "\n"+which, 1) }
	return map[string]string{
		"lanes": lanesSQL, "strays": strayFeedsSQL, "cancels": cancelsSQL, "slots": slotsSQL, "slice": sliceFeedsSQL,
		"next of a lane": of(nextOfLane), "again of a lane": of(againOfLane), "fed": of(fedPage),
		"poll": "SELECT * FROM tasks WHERE id = @id AND tenant = @tenant",
	}
}

// Statements that read held rows.
var (
	FirstRunsSQL = firstRunsSQL
	HeldKeysSQL  = heldKeysSQL
	HeldPageSQL  = heldPageSQL
)
