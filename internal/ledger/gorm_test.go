package ledger_test

import (
	"testing"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestPlain_CommentWithNameAndApostrophe_GormRunsTheStatement has a comment that gorm
// would read as a part of the statement.
func TestPlain_CommentWithNameAndApostrophe_GormRunsTheStatement(t *testing.T) {
	const text = "-- any.sql: a caller's @number, and @other.\n-- It isn't used.\nSELECT cast(@number AS int)\n"
	ledgers.Each(t, func(t *testing.T, url string) {
		db, err := ledger.Open(t.Context(), url, ledger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		args := map[string]any{"number": 7}
		var n int
		if err := db.Read.Raw(ledger.Plain(text), args).Scan(&n).Error; err != nil || n != 7 {
			t.Errorf("%d, %v; want 7", n, err)
		}
	})
}
