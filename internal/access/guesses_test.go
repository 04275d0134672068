package access_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/access"
)

// mistyped returns a secret with a valid checksum that was never issued.
func mistyped(d *desk) string {
	d.Helper()
	_, secret := d.key(access.Viewer)
	_, err := d.db.Writer().Exec(d.Context(), "DELETE FROM rollcall.api_secrets WHERE prefix = @prefix",
		map[string]any{"prefix": secret[:12]})
	d.fine(err)
	return secret
}

func TestGuesses_OfAnAddress_RefuseNoGoodCredential(t *testing.T) {
	byTier(t, func(d *desk) {
		ctx := d.Context()
		_, good := d.key(access.Viewer)
		session, err := d.keys.SignIn(ctx, good, home, access.MaxGrace)
		d.fine(err)
		bad := mistyped(d)
		guesser := func(in *access.Store) {
			for range 20 {
				d.opens(in, bad, access.ErrUnknown)
			}
			d.opens(in, bad, access.ErrGuessing)
		}
		guesser(d.other) // a process that has not seen the valid secret
		d.opens(d.other, good, nil)
		if _, err := d.other.Session(ctx, session, home); err != nil {
			d.Errorf("a good session: %v", err)
		}
		_, made := d.key(access.Admin)
		d.opens(d.other, made, nil)

		guesser(d.keys)
		if _, err := d.keys.SignIn(ctx, made, home, access.MaxGrace); err != nil {
			d.Errorf("a sign-in: %v", err)
		}
		person := func(context.Context, string) (access.Person, error) {
			return access.Person{Issuer: "i", Subject: "u", Tenant: "acme", Role: access.Viewer}, nil
		}
		if _, err := d.keys.Token(ctx, "a.b.c", home, person); err != nil {
			d.Errorf("a good token: %v", err)
		}
		d.opens(d.keys, bad, access.ErrGuessing)
		d.pass(access.GuessPause)
		d.opens(d.keys, bad, access.ErrUnknown)
	})
}

func TestGuesses_AtOneCredential_AreCountedOverAllAddresses(t *testing.T) {
	byTier(t, func(d *desk) {
		bad := mistyped(d)
		try := func(secret string, i int) error {
			_, err := d.keys.Check(d.Context(), secret, fmt.Sprintf("198.51.100.%d", i))
			return err
		}
		for i := range 20 {
			if err := try(bad, i); !errors.Is(err, access.ErrUnknown) {
				d.Fatalf("guess %d: %v", i, err)
			}
		}
		if err := try(bad, 99); !errors.Is(err, access.ErrGuessing) {
			d.Errorf("the next guess: %v", err)
		}
		if err := try(mistyped(d), 99); !errors.Is(err, access.ErrUnknown) {
			d.Errorf("a guess at another credential: %v", err)
		}
	})
}

func TestGuesses_ManyAtOnce_DelayNoGoodCredentialForLong(t *testing.T) {
	on(t, func(d *desk) {
		_, good := d.key(access.Viewer)
		bad := mistyped(d)
		var guessers sync.WaitGroup
		for range 200 {
			guessers.Go(func() { _, _ = d.other.Check(d.Context(), bad, home) })
		}
		d.opens(d.other, good, nil)
		guessers.Wait()
		d.opens(d.other, good, nil)
	})
}
