package access

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestATypingErrorIsKnownAtOnce(t *testing.T) {
	t.Parallel()
	secret := newSecret(keyTag)
	if !wellFormed(secret, keyTag) || wellFormed(secret, sessionTag) || !strings.HasPrefix(secret, "rcl_") {
		t.Fatalf("%q is no whole key", secret)
	}
	for i := range secret {
		other := "a"
		if secret[i] == 'a' {
			other = "b"
		}
		if typo := secret[:i] + other + secret[i+1:]; wellFormed(typo, keyTag) {
			t.Errorf("%q passes for %q", typo, secret)
		}
	}
	for _, bad := range []string{"", "rcl_", secret[1:], secret + "a", strings.ToUpper(secret)} {
		if wellFormed(bad, keyTag) {
			t.Errorf("%q passes", bad)
		}
	}
}

func TestSecretsDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 1000 {
		s := newSecret(keyTag)
		if seen[s] || len(s) != secretLen || len(prefix(s)) != 12 {
			t.Fatalf("secret %q", s)
		}
		seen[s] = true
	}
}

func TestLeaks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"x=" + newSecret(keyTag): true, newSecret(sessionTag): true, "rcl_abcdefgh_": true,
		"": false, "rcl_": false, "rcl_abc": false, "order:42": false,
	} {
		if Leaks(text) != want {
			t.Errorf("Leaks(%q) = %v", text, !want)
		}
	}
}

func TestEachRoleHasMoreScopes(t *testing.T) {
	t.Parallel()
	n := 0
	for _, r := range Roles() {
		if len(r.Scopes()) <= n {
			t.Errorf("%s has %v", r, r.Scopes())
		}
		n = len(r.Scopes())
	}
	if len(Owner.Scopes()) <= n || slices.Contains(Roles(), Owner) || Admin.May(ServiceRead) || !Owner.May(ServiceWrite) || !Owner.May(KeysAdmin) {
		t.Errorf("the owner has %v, and the roles of a tenant are %v", Owner.Scopes(), Roles())
	}
	if Viewer.May(TasksWrite) || Reviewer.May(OpsRead) || Operator.May(KeysAdmin) || !Admin.May(TasksRead) {
		t.Error("a role has a scope that it should not have, or lacks one")
	}
	if scopes := Role("root").Scopes(); len(scopes) > 0 || slices.Contains(scopes, KeysAdmin) {
		t.Errorf("a role that there is not may %v", scopes)
	}
}

func TestGuessesAreBounded(t *testing.T) {
	t.Parallel()
	var g guesses
	now := time.Unix(0, 0)
	for i := range 3 * mostGuesser {
		g.add(time.Duration(i).String(), now)
		if len(g.by) > mostGuesser {
			t.Fatalf("%d addresses are remembered", len(g.by))
		}
	}
	if rangeOf("2001:db8::1") != rangeOf("2001:db8::ffff:1") || rangeOf("2001:db8::1") == rangeOf("2001:db8:0:1::1") {
		t.Error("an IPv6 network is not one guesser")
	}
	if rangeOf("192.0.2.1") == rangeOf("192.0.2.2") {
		t.Error("two IPv4 addresses are one guesser")
	}
}
