// Package migrations holds the ledger's tables as forward-only SQL files, one folder per database.
//
// Until the first release each folder has one file, which changes with the code. From then on, each change is
// a new file. A new file only adds tables and columns, and keeps everything that the previous version of
// Rollcall uses. The previous version can therefore still run on the changed tables. A file with any other
// change sets the row `oldest` of the table `ledger` to its own number, and CHANGELOG.md describes the
// change. Package ledger applies the files.
package migrations

import (
	"embed"
	"io/fs"
	"regexp"
	"sync"
)

// Files holds the folders postgres and sqlite. Both have files with the same numbers.
//
//go:embed postgres/*.sql sqlite/*.sql
var Files embed.FS

var tableRE = regexp.MustCompile(`(?m)^CREATE TABLE (?:rollcall\.)?(\w+) \(`)

// tablesOf caches the results of Tables by folder.
var tablesOf = map[string]func() []string{
	"postgres": sync.OnceValue(func() []string { return readTables("postgres") }),
	"sqlite":   sync.OnceValue(func() []string { return readTables("sqlite") }),
}

// Tables returns the names of the tables that the files of a folder create, without partitions. The folder is
// postgres or sqlite; any other name panics. The caller must not change the list.
func Tables(folder string) []string { return tablesOf[folder]() }

func readTables(folder string) (names []string) {
	files, _ := fs.Glob(Files, folder+"/*.sql") // a valid pattern causes no error
	for _, file := range files {
		text, _ := Files.ReadFile(file) // an embedded file can always be read
		for _, m := range tableRE.FindAllSubmatch(text, -1) {
			names = append(names, string(m[1]))
		}
	}
	return names
}
