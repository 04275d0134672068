package access_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/rollcall-dev/rollcall/internal/access"
)

// keyOf creates a key on behalf of a key or user.
func (d *desk) keyOf(maker string) (id, secret string) {
	d.Helper()
	k, secret, err := d.keys.Create(d.Context(), "ann", access.Draft{
		Tenant: "acme", Name: "made", Role: access.Viewer, Maker: maker,
	})
	d.fine(err)
	return k.ID, secret
}

func TestRevokeMade_KeysOfAPersonAndTheirKeys_AreRevoked(t *testing.T) {
	on(t, func(d *desk) {
		p := bearer(access.Admin, d.clock())
		d.gives(d.keys, "a", p, access.Admin)
		first, firstSecret := d.keyOf(p.ID())
		second, secondSecret := d.keyOf(first)
		_, other := d.keyOf("")
		ids, err := d.keys.RevokeMade(d.Context(), "ben", "acme", p.ID())
		d.fine(err)
		if want := []string{p.ID(), first, second}; !slices.Equal(ids, want) {
			d.Errorf("revoked %v, want %v", ids, want)
		}
		d.opens(d.keys, firstSecret, access.ErrRevoked)
		d.opens(d.keys, secondSecret, access.ErrRevoked)
		d.opens(d.keys, other, nil)
		again, err := d.keys.RevokeMade(d.Context(), "ben", "acme", p.ID())
		if err != nil || !slices.Equal(again, ids) {
			d.Errorf("once more: %v, %v", again, err)
		}
		if _, err := d.keys.RevokeMade(d.Context(), "ben", "globex", p.ID()); !errors.Is(err, access.ErrNotFound) {
			d.Errorf("by another tenant: %v", err)
		}
	})
}

func TestRevoke_Alone_LeavesWhatWasMade(t *testing.T) {
	on(t, func(d *desk) {
		k, _ := d.key(access.Admin)
		_, secret := d.keyOf(k.ID)
		d.fine(d.keys.Revoke(d.Context(), "ben", "acme", k.ID))
		d.pass(time.Second)
		d.opens(d.other, secret, nil)
	})
}

func TestCreate_MakerIsRevoked_MakesNoKey(t *testing.T) {
	byTier(t, func(d *desk) {
		k, _ := d.key(access.Admin)
		d.fine(d.keys.Revoke(d.Context(), "ben", "acme", k.ID))
		_, _, err := d.other.Create(d.Context(), k.ID, access.Draft{
			Tenant: "acme", Name: "late", Role: access.Admin, Maker: k.ID,
		})
		if !errors.Is(err, access.ErrRevoked) {
			d.Errorf("Create: %v", err)
		}
	})
}
