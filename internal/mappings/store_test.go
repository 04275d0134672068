package mappings_test

import (
	"errors"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/mappings"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

func TestMain(m *testing.M) { testenv.Main(m, 8) }

// TestFind_ByTenantKindAndHeadings_ReturnsTheLatestThatEndedWell: whatever the order and case of the
// headings.
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
		find("acme", "k", "Kode", "Title")
		for _, step := range []struct {
			after time.Duration
			want  int64
			what  string
		}{{24 * time.Hour, 1, "that without a name"}, {31 * 24 * time.Hour, 1, "the bad one"}} {
			now = now.Add(step.after)
			if n, err := s.Expire(t.Context(), time.Hour); n != step.want || err != nil {
				t.Errorf("Expire = %d, %v, want %d: %s", n, err, step.want, step.what)
			}
		}
	})
}

func fine(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
