package boot

import (
	"errors"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestDoctor_KeysAndNoneOfTheOwner_IsWarnedOf tests both databases. A revoked key does not count, and a
// newer schema changes nothing.
func TestDoctor_KeysAndNoneOfTheOwner_IsWarnedOf(t *testing.T) {
	t.Parallel()
	real := newDesk(t, ledgers.Postgres(t), testenv.StartRedis(t))
	embedded := desk{t, real.cfg}
	embedded.cfg.DatabaseURL, embedded.cfg.RedisURL = "", ""
	for _, d := range []desk{real, embedded} {
		db, err := d.cfg.OpenLedger(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		keys := access.New(db, access.Options{})
		says := func(want string) {
			t.Helper()
			lines, _ := d.ask("doctor") // doctor may report a fault in the settings of the issuer
			d.states(lines, map[string]string{"owner": want})
		}
		says("ok")
		d.cfg.OIDC.Issuer = "https://login.example"
		says("warn")
		d.cfg.OIDC.Issuer = ""
		if _, _, err := keys.Create(t.Context(), "test", access.Draft{Tenant: "acme", Name: "a", Role: access.Admin}); err != nil {
			t.Fatal(err)
		}
		says("warn")
		owner, _, err := keys.CreateOwner(t.Context(), "test", access.Draft{Name: "owner"})
		if err != nil {
			t.Fatal(err)
		}
		says("ok")
		if err := keys.Revoke(t.Context(), "test", "", owner.ID); err != nil {
			t.Fatal(err)
		}
		says("warn")
		newer := "INSERT INTO rollcall.schema_version (version_id, is_applied) VALUES (99, TRUE)"
		if err := errors.Join(db.Write.Exec(ledger.Plain(newer)).Error, db.Close()); err != nil {
			t.Fatal(err)
		}
		says("warn")
	}
}
