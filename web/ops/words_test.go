package ops

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/rollcall-dev/rollcall/events"
	"github.com/rollcall-dev/rollcall/internal/notify"
	"github.com/rollcall-dev/rollcall/internal/words"
	"github.com/rollcall-dev/rollcall/web/locale"
	"github.com/rollcall-dev/rollcall/web/render"
	"github.com/rollcall-dev/rollcall/web/view"
)

func TestResultOfKeys_SomeOrAll_IsSaid(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ got, want string }{
		{resultOfKeys(locale.Printer("en"), "requeue", 1, 1), "1 key requeued."},
		{resultOfKeys(locale.Printer("ru"), "kill-failed", 21, 21), "Перемещено в мёртвые: 21 ключ."},
		{resultOfKeys(locale.Printer("ru"), "kill-failed", 1000, 1000), "Перемещено в мёртвые: 1\u00a0000 ключей."},
		{
			resultOfKeys(locale.Printer("ru"), "delete-dead", 1, 2),
			"Удалено: 1 из 2 ключей. Остальные ключи уже были выполнены, или их нельзя было изменить.",
		},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

// codesGiven matches the calls that add a reason.
var codesGiven = regexp.MustCompile(`\.add\("([A-Z_]+)"`)

// Each reason why a queue makes no progress has a text, and a tone that a healthy queue does not have.
func TestStandstillStates_EachReason_HasAWordAndATone(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"../explain/queue.go", "../explain/pushed.go", "../explain/stuck.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range codesGiven.FindAllStringSubmatch(string(text), -1) {
			if st := standstillStates[m[1]]; st.Words == "" || st.Tone != render.ToneWarn && st.Tone != render.ToneBad {
				t.Errorf("%s: a queue is shown as %+v", m[1], st)
			}
		}
	}
}

// The pages show these codes of the ledger and the queue.
func TestCodes_OfLedgerAndQueue_HaveWords(t *testing.T) {
	t.Parallel()
	var keys []string
	for _, status := range view.TaskStatuses {
		keys = append(keys, "task."+string(status))
	}
	for _, status := range []events.Status{
		events.Enqueue, events.Working, events.Finish, events.Failed, events.Error, events.Canceled,
	} {
		keys = append(keys, "is."+string(status))
	}
	for _, state := range []string{notify.StateWaiting, notify.StateDelivered, notify.StateDead} {
		keys = append(keys, "sent."+state)
	}
	for _, a := range append(opsActs("waiting"), opsActs("morgue")...) {
		keys = append(keys, "act."+a.Verb, "all."+a.Verb, "asks."+a.Verb, "did."+a.Verb, "audit.act."+a.Verb, "audit.act."+a.chosen)
	}
	acts := regexp.MustCompile(`\.(?:Note|NoteOn|Do)\((?:ctx|c\.Request\.Context\(\))(?:, tenant)?, "([a-z-]+)"`)
	found := 0
	for _, folder := range []string{"../manage/*.go", "../api/*.go"} {
		names, err := filepath.Glob(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range acts.FindAllStringSubmatch(string(text), -1) {
				keys, found = append(keys, "audit.act."+m[1]), found+1
			}
		}
	}
	if found < 5 {
		t.Errorf("%d acts are found", found)
	}
	known := words.Keys("page.ops.")
	for _, key := range keys {
		if !slices.Contains(known, "page.ops."+key) {
			t.Errorf("there are no words for %q", key)
		}
	}
}

// TestWithAlarms_QueueThatRuns_NeedsAttention: an alarm and the state of its queue agree. A state that is a warning or
// a fault already stays.
func TestWithAlarms_QueueThatRuns_NeedsAttention(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ state, want opsState }{
		{opsState{"Running", render.ToneGood}, opsState{"Running, needs attention", render.ToneWarn}},
		{opsState{"Idle", render.ToneWait}, opsState{"Needs attention", render.ToneWarn}},
		{opsState{"Behind", render.ToneWarn}, opsState{"Behind", render.ToneWarn}},
		{opsState{"Stuck", render.ToneBad}, opsState{"Stuck", render.ToneBad}},
	} {
		q := view.Queue{QueueTotals: &view.QueueTotals{}}
		if got := tt.state.withErrors("en", &q, inError{}); got != tt.state {
			t.Errorf("without an error, %v is %v", tt.state, got)
		}
		if got := tt.state.withErrors("en", &q, inError{Own: 1}); got != tt.want {
			t.Errorf("%v with rows in error is %v, want %v", tt.state, got, tt.want)
		}
		q.MorgueLength = 1
		if got := tt.state.withErrors("en", &q, inError{}); got != tt.want {
			t.Errorf("%v with dead keys is %v, want %v", tt.state, got, tt.want)
		}
	}
}
