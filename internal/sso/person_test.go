package sso

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestClaimsAreFoundByNameOrPath(t *testing.T) {
	t.Parallel()
	var claims map[string]json.RawMessage
	if err := json.Unmarshal([]byte(`{
		"roles": ["a", 7, "b"], "group": "solo", "realm_access": {"roles": ["deep"], "n": {"m": ["deeper"]}},
		"https://x.example/roles": ["named"], "a.b": "whole", "a": {"b": "part"}, "n": 5, "o": {}
	}`), &claims); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]string{
		"roles":                   {"a", "b"},
		"group":                   {"solo"},
		"realm_access.roles":      {"deep"},
		"realm_access.n.m":        {"deeper"},
		"https://x.example/roles": {"named"},
		"a.b":                     {"whole"},
		"n":                       nil,
		"o":                       nil,
		"n.x":                     nil,
		"o.x":                     nil,
		"none":                    nil,
		"":                        nil,
	} {
		if got := texts(find(claims, path)); !slices.Equal(got, want) {
			t.Errorf("claim %q has %q, want %q", path, got, want)
		}
	}
}

// TestANameIsNotWhatPeopleChoose: an address that is not verified may belong to another person.
func TestANameIsNotWhatPeopleChoose(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"email":"ann@x.example","email_verified":true}`:   "ann@x.example",
		`{"email":"ann@x.example","email_verified":"true"}`: "ann@x.example",
		`{"email":"ann@x.example","email_verified":false}`:  "u1",
		`{"email":"ann@x.example"}`:                         "u1",
		`{"email":["ann"],"email_verified":true}`:           "u1",
		`{"preferred_username":"admin"}`:                    "u1",
	} {
		var claims map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &claims); err != nil {
			t.Fatal(err)
		}
		if got := name("u1", claims); got != want {
			t.Errorf("%s is called %q, want %q", text, got, want)
		}
	}
}
