package web

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/words"
)

// codesGiven matches where a reason is added.
var codesGiven = regexp.MustCompile(`\.add\("([A-Z_]+)"`)

// TestReasonsAreInTheTable: each by which a row is explained, and no others.
func TestReasonsAreInTheTable(t *testing.T) {
	t.Parallel()
	var given, told []string
	for _, name := range explaining(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range codesGiven.FindAllStringSubmatch(string(text), -1) {
			given = append(given, m[1])
		}
	}
	for _, key := range words.Keys("why.") {
		told = append(told, strings.TrimSuffix(strings.TrimPrefix(key, "why."), ".do"))
	}
	slices.Sort(given)
	if given, told = slices.Compact(given), slices.Compact(told); !slices.Equal(given, told) {
		t.Errorf("rows are explained by %v; there are words for %v", given, told)
	}
}

// explaining returns the files that give reasons.
func explaining(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob("explain*.go")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
}

// TestQueueReasonsHaveStates: each reason why a queue does not move has a word and a tone, which
// is not that of what goes well.
func TestQueueReasonsHaveStates(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"explain_queue.go", "explain_pushed.go", "explain_stuck.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range codesGiven.FindAllStringSubmatch(string(text), -1) {
			if st := standstillStates[m[1]]; st.Words == "" || st.Tone != toneWarn && st.Tone != toneBad {
				t.Errorf("%s: a queue is shown as %+v", m[1], st)
			}
		}
	}
}

// TestCodesHaveWords: what the pages tell by a code that the ledger or the queue has.
func TestCodesHaveWords(t *testing.T) {
	t.Parallel()
	var keys []string
	for _, status := range taskStatuses {
		keys = append(keys, "task."+string(status))
	}
	for _, status := range allStatuses {
		keys = append(keys, "is."+string(status))
	}
	for _, state := range []string{notify.StateWaiting, notify.StateDelivered, notify.StateDead} {
		keys = append(keys, "sent."+state)
	}
	for _, a := range append(opsActs("waiting"), opsActs("morgue")...) {
		keys = append(keys, "act."+a.Verb, "all."+a.Verb, "asks."+a.Verb, "did."+a.Verb, "deed."+a.Verb, "deed."+a.chosen)
	}
	deeds := regexp.MustCompile(`(?:noteDeed|\.deed)\(c, "([a-z-]+)"`)
	for _, name := range []string{"limits.go", "queues_act.go", "webhooks.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range deeds.FindAllStringSubmatch(string(text), -1) {
			keys = append(keys, "deed."+m[1])
		}
	}
	known := words.Keys("page.ops.")
	for _, key := range keys {
		if !slices.Contains(known, "page.ops."+key) {
			t.Errorf("there are no words for %q", key)
		}
	}
}
