package queue

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/layout.txt anew")

// keysInSource returns the keys that keys.go builds.
func keysInSource(t *testing.T) (list []string) {
	t.Helper()
	text, err := os.ReadFile("keys.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`\b(k\.prefix|base) \+ "(:?\w+:?)"`).FindAllStringSubmatch(string(text), -1) {
		if m[1] == "base" {
			m[2] = ":{queue:shard}:" + m[2]
		}
		list = append(list, "PREFIX"+m[2])
	}
	if len(list) < 25 {
		t.Errorf("only %d keys found in keys.go", len(list))
	}
	return list
}

// TestLayout_KeysAndShards_AreThoseOfTheContract compares the names of keys and the shards of keys with
// testdata/layout.txt, which scripts/contract.sh compares with the last tag.
func TestLayout_KeysAndShards_AreThoseOfTheContract(t *testing.T) {
	t.Parallel()
	facts := keysInSource(t)
	for _, key := range []string{"A-1", "acme/42", "ключ"} {
		for _, shards := range []int{5, 20} {
			facts = append(facts, fmt.Sprintf("key %s of %d shards: shard %d", key, shards, shardOf(key, shards)))
		}
	}
	slices.Sort(facts)
	want := strings.Join(facts, "\n") + "\n"
	const name = "testdata/layout.txt"
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil || string(got) != want {
		t.Errorf("%s is not the layout in Redis: run go test ./queue -run TestLayout_Keys -update (%v)", name, err)
	}
}
