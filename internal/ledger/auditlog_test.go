package ledger

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestMigration21_ThreeAudits_BecomeOneLog in both databases.
func TestMigration21_ThreeAudits_BecomeOneLog(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]string{
		"sqlite": filepath.Join(t.TempDir(), "ledger.db"), "postgres": testenv.Postgres(t),
	} {
		t.Run(name, func(t *testing.T) {
			atVersion(t, url, 20,
				`INSERT INTO tasks (id, tenant, kind, type, status, created_at) VALUES ('a', 'acme', 'k', 'import', 'open', 1)`,
				`INSERT INTO audit (task_num, at, actor, act, seq, rows, detail) SELECT num, 1, 'ann', 'patch', 7, 1, '{"note":"x"}' FROM tasks`,
				`INSERT INTO ops_audit (at, tenant, actor, act, target, touched, detail) VALUES (2, 'acme', 'ben', 'reshard', 'q', -1, '{"shards":2}')`,
				`INSERT INTO api_key_changes (at, tenant, key, actor, act, detail) VALUES (3, 'acme', 'key_1', 'cid', 'create', 'admin')`,
			)
			db, err := Open(t.Context(), url, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			var got []string
			err = db.Read.Raw(`SELECT subject || ' ' || at || actor || ' ' || act || ' ' || target || ' ' || seq || ' ' ||
				touched || ' ' || replace(detail, ' ', '') FROM audit_log ORDER BY num`).Scan(&got).Error
			want := []string{
				`task:1 1ann patch  7 1 {"note":"x"}`, `ops:acme 2ben reshard q 0 -1 {"act":{"shards":2}}`,
				`key:key_1 3cid create key_1 0 1 {"note":"admin"}`,
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("the log has %q, %v", got, err)
			}
		})
	}
}

// atVersion brings a database to a version and runs statements there.
func atVersion(t *testing.T, url string, version int64, statements ...string) {
	t.Helper()
	open := openSQLite
	if IsPostgres(url) {
		open = openPostgres
	}
	db, err := open(t.Context(), url, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	pool, err := db.Write.DB()
	if err != nil {
		t.Fatal(err)
	}
	p, err := db.provider(pool)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.UpTo(t.Context(), version); err != nil {
		t.Fatal(err)
	}
	for _, text := range statements {
		if err := db.Write.Exec(text).Error; err != nil {
			t.Fatal(err)
		}
	}
}
