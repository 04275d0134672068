package boot

import (
	"errors"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
	"github.com/rollcall-dev/rollcall/internal/ledger"
	"github.com/rollcall-dev/rollcall/internal/settings"
	"github.com/rollcall-dev/rollcall/internal/testenv"
	"github.com/rollcall-dev/rollcall/internal/testenv/ledgers"
)

// TestDoctor_OpenToOthersWithoutKey_Fails tests both databases, before and after the first migration.
// The API does not start with such settings: see ErrOpen.
func TestDoctor_OpenToOthersWithoutKey_Fails(t *testing.T) {
	t.Parallel()
	real := newDesk(t, ledgers.Postgres(t), testenv.StartRedis(t))
	embedded := desk{t, real.cfg}
	embedded.cfg.DatabaseURL, embedded.cfg.RedisURL = "", ""
	real.cfg.Schema = "rollcall_new"
	for _, d := range []desk{real, embedded} {
		says := func(want string, set func(*settings.Config)) {
			t.Helper()
			other := d
			set(&other.cfg)
			lines, err := other.ask("doctor")
			if want == "fail" && err == nil {
				t.Error("doctor returns no error")
			}
			other.states(lines, map[string]string{"owner": want})
		}
		open := func(want string) {
			t.Helper()
			says(want, func(c *settings.Config) { c.Hosts = []string{"localhost", "tasks.example.com"} })
			says(want, func(c *settings.Config) { c.OIDC.PublicURL = "https://tasks.example.com" })
			says(want, func(c *settings.Config) { c.Listen = ":8080" })
		}
		open("fail")
		says("missing", func(*settings.Config) {})
		db, err := d.cfg.OpenLedger(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		open("fail")
		says("ok", func(c *settings.Config) { c.Hosts = []string{"localhost"} })
		says("warn", func(c *settings.Config) { c.Listen, c.OIDC.Issuer = ":8080", "https://login.example" })
		_, _, err = access.New(db, access.Options{}).Create(t.Context(), "test", access.Draft{Tenant: "acme", Name: "a", Role: access.Admin})
		if err := errors.Join(err, db.Close()); err != nil {
			t.Fatal(err)
		}
		open("warn")
	}
}

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
