package ledger

import (
	"testing"
	"time"
)

func TestTimeIsThatOfTheServer(t *testing.T) {
	t.Parallel()
	db, err := Open(t.Context(), onPostgres(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	wrong := [2]time.Time{time.Now().Add(time.Hour), time.Now()}
	db.clock.base.Store(&wrong)
	if off := time.Until(db.Now()); off < 59*time.Minute {
		t.Errorf("an hour is added, and shows as %v", off)
	}
	if err := db.compareClock(t.Context()); err != nil {
		t.Fatal(err)
	}
	if off := time.Until(db.Now()).Abs(); off > 10*time.Second {
		t.Errorf("after asking the server, time is off by %v", off)
	}
	kept := db.clock.base.Load()
	if err := db.compareClock(t.Context()); err != nil {
		t.Fatal(err)
	}
	if db.clock.base.Load() != kept {
		t.Error("a clock that is right was set again")
	}
}
