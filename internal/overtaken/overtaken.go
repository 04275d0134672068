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

// Complete replaces {overtaken} in a statement with the condition about a row `w`. The statement selects w with the
// columns id, key, key_hash, score and above. Without a version, only rows with ids greater than `above` count as newer.
func Complete(statement string) string {
	return strings.ReplaceAll(statement, "{overtaken}", condition)
}
