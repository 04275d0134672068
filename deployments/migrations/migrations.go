// Package migrations holds the ledger's schema as forward-only SQL files, one
// folder per database.
//
// A file is safe while the previous version of Rollcall still runs: it adds,
// it never renames or drops what that version reads. 00021 and 00024, which precede
// the first release, are the exceptions. Package ledger applies them; nothing else
// reads them.
package migrations

import "embed"

// Files has the folders postgres and sqlite, each with the same numbers.
//
//go:embed postgres/*.sql sqlite/*.sql
var Files embed.FS
