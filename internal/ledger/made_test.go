package ledger

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/testenv"
)

// TestMigration34_ThingsOfBefore_HaveTheirMakers in both databases: a name that two people of
// a tenant have names nobody.
func TestMigration34_ThingsOfBefore_HaveTheirMakers(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]string{
		"sqlite": filepath.Join(t.TempDir(), "ledger.db"), "postgres": testenv.Postgres(t),
	} {
		t.Run(name, func(t *testing.T) {
			key := func(id, prefix, tenant, name, by string) string {
				return `INSERT INTO api_keys (id, prefix, tenant, name, role, created_by, created_at)
					VALUES ('` + id + `', '` + prefix + `', '` + tenant + `', '` + name + `', 'viewer', '` + by + `', 1)`
			}
			atVersion(t, url, 33,
				key("usr_1", "", "acme", "ann", "issuer"), key("usr_2", "", "acme", "twin", "issuer"),
				key("usr_3", "", "acme", "twin", "issuer"), key("usr_4", "", "globex", "bob", "issuer"),
				key("key_1", "rcl_1", "acme", "a", "oidc:ann"), key("key_2", "rcl_2", "acme", "b", "oidc:twin"),
				key("key_3", "rcl_3", "acme", "c", "key_1"), key("key_4", "rcl_4", "acme", "d", "oidc:bob"),
				key("key_5", "rcl_5", "acme", "e", "shell:root"),
				`INSERT INTO schedules (id, tenant, name, cron, time_zone, catch_up, request, created_by, created_at, updated_at,
					version, next_run_at, due_at) VALUES ('plan', 'acme', 'x', '0 9 * * *', 'UTC', 'skip', '{}', 'oidc:ann', 1, 1, 1, 1, 1)`,
			)
			db, err := Open(t.Context(), url, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			var got []string
			err = db.Read.Raw(`SELECT id || ' ' || maker FROM api_keys WHERE maker <> ''
				UNION ALL SELECT id || ' ' || maker FROM schedules ORDER BY 1`).Scan(&got).Error
			if want := []string{"key_1 usr_1", "key_3 key_1", "plan usr_1"}; err != nil || !slices.Equal(got, want) {
				t.Errorf("makers are %q, %v, want %q", got, err, want)
			}
		})
	}
}
