package ledger

import "testing"

// TestANewerVersionAddsAColumn checks that an older program can still read the table.
func TestANewerVersionAddsAColumn(t *testing.T) {
	t.Parallel()
	db, err := Open(t.Context(), onPostgres(t), Options{MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	type thing struct{ ID, Name string }
	read := func() error {
		var got []thing
		return db.Read.WithContext(t.Context()).Find(&got).Error
	}
	for _, statement := range []string{
		"CREATE TABLE rollcall.things (id text, name text)", "INSERT INTO rollcall.things VALUES ('1', 'one')",
	} {
		if err := db.Write.Exec(statement).Error; err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		if err := read(); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Write.Exec("ALTER TABLE rollcall.things ADD COLUMN colour text").Error; err != nil {
		t.Fatal(err)
	}
	if err := read(); err != nil {
		t.Errorf("reading after the change: %v", err)
	}
}
