package textutil_test

import (
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/textutil"
)

func TestTruncate_TextOfAnyLength_EndsAtAWholeCharacter(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text         string
		bytes, runes string
	}{
		{"", "", ""},
		{"abc", "abc", "abc"},
		{"abcd", "abc…", "abc…"},
		{"äöü", "ä…", "äöü"},
		{"a\xffb", "a\xffb", "a\xffb"},
		{"äöüß", "ä…", "äöü…"},
	} {
		if got := textutil.Truncate(tt.text, 3); got != tt.bytes {
			t.Errorf("Truncate(%q) = %q, want %q", tt.text, got, tt.bytes)
		}
		if got := textutil.TruncateRunes(tt.text, 3); got != tt.runes {
			t.Errorf("TruncateRunes(%q) = %q, want %q", tt.text, got, tt.runes)
		}
	}
}

func TestClean_AnyText_IsStorable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"ok ä": "ok ä", "a\x00b": "a\ufffdb", "a\xff\xfeb": "a\ufffdb", "": ""} {
		got := textutil.Clean(text)
		if got != want || !textutil.Storable(got) || textutil.Storable(text) != (got == text) {
			t.Errorf("Clean(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestOptional_ZeroValue_IsNil(t *testing.T) {
	t.Parallel()
	if textutil.Optional("") != nil || textutil.Deref(textutil.Optional("a")) != "a" || textutil.Deref[int](nil) != 0 {
		t.Error("Optional and Deref do not undo each other")
	}
	if got := textutil.Instant(1500); got == nil || *got != "1970-01-01T00:00:01.500Z" || textutil.Instant(0) != nil {
		t.Errorf("Instant = %v", got)
	}
}

func TestIsLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"": true, "Prices, May": true, "é 行": true, strings.Repeat("é", textutil.MaxLine): true,
		strings.Repeat("é", textutil.MaxLine+1): false, "a\nb": false, "a\x7f": false, "a\u0085b": false, "a\u2028b": false, "a\u2029b": false,
		"a\xffb": false,
	} {
		if got := textutil.IsLine(text); got != want {
			t.Errorf("IsLine(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestHostName_PortAndBrackets_AreRemoved(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"x": "x", "x:80": "x", "[::1]": "::1", "[::1]:80": "::1", "::1": "::1", "192.0.2.1:1": "192.0.2.1", ":80": "", "": "",
		"Tasks.Example.COM:80": "tasks.example.com", "[::FFFF:1]": "::ffff:1", "tasks.example.com.:80": "tasks.example.com", ".": "", "localhost..": "localhost..",
	} {
		if got := textutil.HostName(host); got != want {
			t.Errorf("HostName(%q) = %q, want %q", host, got, want)
		}
	}
}

func TestIsLoopbackHost_NamesAndAddresses_AreThoseOfThisMachine(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST:80": true, "localhost.": true, "app.localhost:80": true, "127.9.9.9": true, "[::1]:80": true,
		"": false, ":80": false, "localhost..": false, "notlocalhost": false, "localhost.example.com": false, "192.0.2.1": false, "[::2]": false, "127.0.0.1.example.com": false,
	} {
		if got := textutil.IsLoopbackHost(host); got != want {
			t.Errorf("IsLoopbackHost(%q) = %v, want %v", host, got, want)
		}
	}
}
