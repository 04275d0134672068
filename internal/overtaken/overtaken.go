// Package overtaken has the SQL condition that a row does not run, because a newer row of its key has finished.
//
// The statements newer.sql, newer_version.sql and states.sql of package events apply the same rule to single rows.
package overtaken

import (
	_ "embed"
	"strings"
)

//go:embed sql/condition.sql
var condition string

//go:embed sql/newest.sql
var newest string

// Complete replaces {newest} and {overtaken} in a statement. The statement selects the rows in a CTE `w` with the
// columns id, key, key_hash, score and above. Without a version, only rows with ids greater than `above` count as newer.
// The CTE {newest} follows, which the statement joins to w by key_hash and key as `m`. The condition {overtaken} uses both.
func Complete(statement string) string {
	return strings.NewReplacer("{newest}", newest, "{overtaken}", condition).Replace(statement)
}
