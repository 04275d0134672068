package mappings_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/mappings"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

func TestMain(m *testing.M) { testenv.Main(m, 8) }

// TestFind_ByTenantKindAndHeadings_ReturnsTheLatestThatEndedWell: the order and case of the
// headings do not matter.
func TestFind_ByTenantKindAndHeadings_ReturnsTheLatestThatEndedWell(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		db, err := ledger.Open(t.Context(), url, ledger.Options{})
		fine(t, err)
		t.Cleanup(func() { _ = db.Close() })
		now := time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)
		s := mappings.New(db, func() time.Time { return now })
		remember := func(task, name, field string, finish int) {
			t.Helper()
			fine(t, s.Remember(t.Context(), mappings.Mapping{
				Tenant: "acme", Kind: "k", Name: name, Headings: []string{"Kode", "Title"}, Fields: map[string]string{"Kode": field}, MadeBy: "ann",
			}, task))
			fine(t, db.Write.Exec(`INSERT INTO rollcall.tasks (id, tenant, kind, type, status, total, finish, failed, finished_at, created_at)
				VALUES (?, 'acme', 'k', 'import', 'finished', 2, ?, ?, 5, 1)`, task, finish, 2-finish).Error)
		}
		find := func(tenant, kind string, headings ...string) string {
			t.Helper()
			m, err := s.Find(t.Context(), tenant, kind, headings)
			fine(t, err)
			if m == nil {
				return ""
			}
			return m.Fields["Kode"]
		}
		remember("t1", "first", "SKU", 2)
		remember("t2", "bad", "Name", 0)
		if got := find("acme", "k", "title", " KODE "); got != "SKU" {
			t.Errorf("Find = %q, want that of the import that ended well", got)
		}
		for _, other := range [][]string{{"other", "k", "Kode", "Title"}, {"acme", "j", "Kode", "Title"}, {"acme", "k", "Kode"}} {
			if got := find(other[0], other[1], other[2:]...); got != "" {
				t.Errorf("%v finds %q", other, got)
			}
		}
		remember("t3", "second", "Brand", 1)
		list, err := s.List(t.Context(), "acme")
		fine(t, err)
		if find("acme", "k", "Kode", "Title") != "Brand" || len(list) != 1 || list[0].Name != "second" {
			t.Errorf("the list is %+v, want the latest alone", list)
		}
		if err := s.Delete(t.Context(), "other", list[0].ID); !errors.Is(err, mappings.ErrNotFound) {
			t.Errorf("Delete by another tenant = %v", err)
		}
		remember("t4", "", "Stock", 1)
		list, err = s.List(t.Context(), "acme")
		fine(t, err)
		fine(t, s.Delete(t.Context(), "acme", list[0].ID))
		if got := find("acme", "k", "Kode", "Title"); got != "" {
			t.Errorf("a deleted mapping leaves %q, which it had replaced", got)
		}
	})
}

// TestExpire_NamedAndUnnamed_DeletesUnusedOnes: a named mapping stays if its import has succeeded,
// also after its task is deleted, or if its task has not ended. The others expire.
func TestExpire_NamedAndUnnamed_DeletesUnusedOnes(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		l := newLab(t, url)
		l.remember("t1", "Shop", "Kode", 1)
		l.remember("t2", "", "Title", 1)
		l.remember("t3", "Bad", "Price", 0)
		l.remember("t4", "Slow", "Cost", 0)
		fine(t, l.db.Write.Exec("UPDATE rollcall.tasks SET finished_at = 0 WHERE id = 't4'").Error)
		for _, step := range []struct {
			after time.Duration
			want  int64
			what  string
		}{{0, 0, "none"}, {24 * time.Hour, 1, "that without a name"}, {31 * 24 * time.Hour, 1, "the bad one"}, {999 * 24 * time.Hour, 0, "none"}} {
			l.now = l.now.Add(step.after)
			if n, err := l.store.Expire(t.Context(), time.Hour); n != step.want || err != nil {
				t.Errorf("Expire = %d, %v, want %d: %s", n, err, step.want, step.what)
			}
			fine(t, l.db.Write.Exec("DELETE FROM rollcall.tasks WHERE id = 't1'").Error)
		}
		var names []string
		fine(t, l.db.Read.Raw("SELECT name FROM rollcall.mappings ORDER BY name").Scan(&names).Error)
		if fmt.Sprint(names) != "[Shop Slow]" {
			t.Errorf("%q stay, want Shop and Slow", names)
		}
	})
}

// TestFind_AfterFailedImports_WritesNothing: failed imports with the same headings leave one
// mapping, and reading changes none.
func TestFind_AfterFailedImports_WritesNothing(t *testing.T) {
	ledgers.Each(t, func(t *testing.T, url string) {
		l := newLab(t, url)
		l.remember("good", "", "Kode", 1)
		for i := range 20 {
			l.remember(fmt.Sprint("t", i), "", "Kode", 0)
		}
		var n, confirmed int
		m, err := l.store.Find(t.Context(), "acme", "k", []string{"Kode"})
		fine(t, err)
		fine(t, l.db.Read.Raw("SELECT count(*) FROM rollcall.mappings").Scan(&n).Error)
		fine(t, l.db.Read.Raw("SELECT count(*) FROM rollcall.mappings WHERE confirmed").Scan(&confirmed).Error)
		if m == nil || n != 2 || confirmed != 0 {
			t.Errorf("Find = %v of %d mappings, %d confirmed; want the good one of 2, none confirmed by a read", m, n, confirmed)
		}
	})
}

// lab is a store whose clock the test moves.
type lab struct {
	*testing.T
	db    *ledger.DB
	store *mappings.Store
	now   time.Time
}

func newLab(t *testing.T, url string) *lab {
	t.Helper()
	l := &lab{T: t, now: time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)}
	var err error
	l.db, err = ledger.Open(t.Context(), url, ledger.Options{})
	fine(t, err)
	t.Cleanup(func() { _ = l.db.Close() })
	l.store = mappings.New(l.db, func() time.Time { return l.now })
	return l
}

// remember adds a mapping of one heading. In its task of 2 rows, `finish` rows have succeeded.
func (l *lab) remember(task, name, heading string, finish int) {
	l.Helper()
	fine(l.T, l.store.Remember(l.Context(), mappings.Mapping{
		Tenant: "acme", Kind: "k", Name: name, Headings: []string{heading}, Fields: map[string]string{heading: "SKU"}, MadeBy: "ann",
	}, task))
	fine(l.T, l.db.Write.Exec(`INSERT INTO rollcall.tasks (id, tenant, kind, type, status, total, finish, failed, finished_at, created_at)
		VALUES (?, 'acme', 'k', 'import', 'finished', 2, ?, ?, 5, 1)`, task, finish, 2-finish).Error)
}

func fine(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
