package ledger_test

import (
	"path/filepath"
	"sync"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
)

func TestSQLiteOpens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "odd name?&#%.db")
	db, err := ledger.Open(t.Context(), path, ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if err := db.Write.Exec("UPDATE rollcall.ledger SET value = value + 1 WHERE name = 'epoch'").Error; err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	var n int64
	if err := db.Read.Raw("SELECT value FROM rollcall.ledger WHERE name = 'epoch'").Scan(&n).Error; err != nil || n != 160 {
		t.Fatal(n, err)
	}
	var mode string
	db.Read.Raw("PRAGMA journal_mode").Scan(&mode)
	if mode != "wal" {
		t.Fatal(mode)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}
